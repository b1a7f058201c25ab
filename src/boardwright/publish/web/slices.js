// Work in slices, between which a worker hears what it is told.
/* oxlint-disable unicorn/require-post-message-target-origin -- messages to and from a worker have none */

export const SLICE = 30; // milliseconds of a slice

/** Let the worker hear its messages; setTimeout would wait 4 ms each time. */
const channel = new MessageChannel();
const resting = [];
channel.port1.onmessage = () => resting.shift()();
channel.port1.unref?.();
export const rest = () => new Promise((resolve) => { channel.port1.ref?.(); resting.push(() => { channel.port1.unref?.(); resolve(); }); channel.port2.postMessage(0); });

/** How much work a slice may hold: as in search/stopping.py. */
export class Pace {
  constructor(size, most) { Object.assign(this, { size, most }); }

  took(milliseconds, work) {
    this.size = Math.floor(Math.max(1, Math.min(this.most, 4 * work, work * SLICE / Math.max(milliseconds, 1e-3))));
  }
}
