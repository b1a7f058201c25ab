"""Error of a learnt value against exact values, Ur with up to 3 pieces left each."""
import sys,numpy as np,boardwright as bw
from boardwright.search.exact.value_iteration import ValueIteration
from boardwright.learn.kernel.model import load_value
from boardwright.learn.kernel.player import state_value
from boardwright.compile.diagnose import run_kernel
from boardwright.contract.position import Position,blank
from boardwright.contract.random import Random
seven=bw.load('docs/examples/royal_ur.py:RoyalUr'); three=bw.load('docs/examples/royal_ur.py:RoyalUr:pieces=3')
sol=ValueIteration(three,tolerance=1e-6)
net,learned=load_value(sys.argv[1],seven)
errs=[];kinds=[]
for seed in range(400):
    rng=Random(seed); pos=blank(three)
    while not pos.is_over:
        left=[3-pos.view.at[i,15] for i in (0,1)]
        if min(left)>=2 and rng.unit()<0.3:
            rec=np.zeros(1,seven.state_dtype); rec['at'][0]=pos.record['at'][0]; rec['at'][0][:,15]+=4; rec['turn']=pos.record['turn']; rec['roll']=pos.record['roll']
            out=np.zeros(2); run_kernel(seven,state_value,seven,net,learned,rec,out)
            errs.append(abs(out[0]-sol.value(pos)[0])); kinds.append(pos.is_chance)
        pos=pos.sample(rng) if pos.is_chance else pos.play(pos.moves[rng.below(len(pos.moves))])
e=np.array(errs);k=np.array(kinds); print(len(e),'mean error',e.mean(),'at chance',e[k].mean(),'at decisions',e[~k].mean())
