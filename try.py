import sys,time,numpy as np,boardwright as bw
from boardwright.learn.kernel.network import network_for,fresh_numbers
from boardwright.learn.kernel.games import Arcade,Terms
from boardwright.learn.kernel.fitting import Fitter
from boardwright.search.exact.value_iteration import ValueIteration
from boardwright.compile.diagnose import run_kernel
from boardwright.contract.random import Random
import json
game=bw.load(sys.argv[1]); minutes=float(sys.argv[2])
t=time.perf_counter()
net=network_for(game,128,32,True); print(json.dumps(net.parsed)[:600]); print('inputs',net.count,'most',net.most,'size',net.size,'outs',net.outs)
num=fresh_numbers(net,1,1.0); F=Fitter(game,net,num,num.copy(),np.zeros_like(num),np.zeros_like(num))
A=Arcade(game,net,1)
chance=bool(game.outcomes)
terms=Terms(300 if len(sys.argv)<4 else int(sys.argv[3]),0 if chance else 8,0.0 if chance else 0.05,0,0)
rng=np.random.default_rng(0)
A.play(num,2,0,terms); print('compiled',time.perf_counter()-t)
played=0;looks=0;tp=tf=0.0;r=0;began=time.perf_counter()
while time.perf_counter()-began<minutes*60:
    a=time.perf_counter(); P=A.play(F.learned,200,r,terms); b=time.perf_counter()
    w=P.wanted(game,net,0.7); use=P.useful; rate=1e-3/ (1+r/30)**0.5
    err=F.fit(P.states,w,use[rng.permutation(len(use))],128,rate); F.average(max(0.03,1/(1+r))); c=time.perf_counter()
    tp+=b-a;tf+=c-b;played+=200;looks+=P.looks;r+=1
    if r%20==0: print(r,played,f'{played/(tp+tf):.0f} games/s, looks {looks/tp:.0f}/s play {tp:.1f} fit {tf:.1f} mse {err:.4f} var {np.var(w):.3f} len {P.log.lengths.mean()/2:.0f}',flush=True)
np.save('/work/k16/last.npy',F.averaged)
