// A compiled module: its memory, the record through which it is spoken to (the argument block), and its entries called.

const FUNCTIONS = ["acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "expm1", "hypot",
  "log", "log10", "log1p", "log2", "pow", "sin", "sinh", "tan", "tanh"];
const HEAP_BYTES = 1 << 22; // for arrays that rules make
const PAGE = 65536;
const OK = 0, NONE = -2; // statuses of a call that went well

const READ = { i1: "getInt8", u1: "getUint8", b1: "getUint8", i2: "getInt16", u2: "getUint16", i4: "getInt32", u4: "getUint32",
  i8: "getBigInt64", u8: "getBigUint64", f4: "getFloat32", f8: "getFloat64" };

/** What C calls its mathematics, from JavaScript's. */
function mathematics() {
  const env = { fmod: (a, b) => a % b, fmodf: (a, b) => a % b };
  for (const name of FUNCTIONS) { env[name] = Math[name]; env[`${name}f`] = Math[name]; }
  return env;
}

/** The product of two numbers of 128 bits, given by their halves, into memory: LLVM calls it under this name. */
const multiply = (memory) => (address, low, high, otherLow, otherHigh) => {
  const wide = (below, above) => BigInt.asUintN(64, below) + (above << 64n);
  const product = wide(low, high) * wide(otherLow, otherHigh), view = new DataView(memory().buffer);
  view.setBigUint64(address, BigInt.asUintN(64, product), true);
  view.setBigUint64(address + 8, BigInt.asUintN(64, product >> 64n), true);
};

/** A module's code, compiled here or elsewhere, ready to be called. */
export async function instantiate(code) {
  const compiled = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
  const env = { ...mathematics(), __multi3: multiply(() => exports.memory) }; // which is called later
  const { exports } = await WebAssembly.instantiate(compiled, { env });
  return { compiled, exports };
}

export class Module {
  /** `plan` is what publish/program.py tells of the module; `learned`, a Float32Array, what its evaluator has learnt. */
  constructor({ compiled, exports }, plan, sentences, title, learned = null) {
    Object.assign(this, { compiled, exports, plan, sentences, title, learned });
    this.memory = exports.memory;
    this.top = exports.free.value;
    this.owner = null; // who has used the memory last
    this.result = this.room(8);
    this.error = this.room(8);
    this.args = this.room(plan.records.args.bytes);
    this.at = {};
    const numbers = learned || new Float32Array(1);
    this.place("learned", this.room(numbers.byteLength));
    this.bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), this.at.learned);
    this.set("learned_count", numbers.length);
    const heap = exports.boardwright_heap;
    if (heap) {
      const from = this.room(HEAP_BYTES);
      this.view.setBigInt64(heap.value, BigInt(from), true);
      this.view.setBigInt64(heap.value + 8, BigInt(from + HEAP_BYTES), true);
    }
  }

  get view() { return new DataView(this.memory.buffer); }
  get bytes() { return new Uint8Array(this.memory.buffer); }

  /** Memory that nobody uses, all zeros. */
  room(bytes) {
    const from = Math.ceil(this.top / 64) * 64;
    this.top = from + bytes;
    this.reach(this.top);
    return from;
  }

  /** Have memory up to an address; throws a RangeError if there is no more. */
  reach(address) {
    const missing = Math.ceil((address - this.memory.buffer.byteLength) / PAGE);
    if (missing > 0) this.memory.grow(missing);
  }

  place(name, address) { this.at[name] = address; this.set(name, address); }

  set(name, number) {
    const { at, kind } = this.plan.records.args.fields[name];
    if (kind === "f8") this.view.setFloat64(this.args + at, Number(number), true);
    else this.view.setBigInt64(this.args + at, BigInt(number), true);
  }

  get(name) { return Number(this.view.getBigInt64(this.args + this.plan.records.args.fields[name].at, true)); }

  /** Call an entry of the module; its result is a whole number. */
  call(name) {
    const { tables, evaluator_tables: others } = this.exports;
    let status;
    try {
      status = this.exports[`boardwright_${name}`](this.result, this.error, BigInt(tables.value), BigInt(others.value), BigInt(this.args));
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw new Error(`${this.title}: its rules broke off (${error.message})`, { cause: error });
      throw error;
    }
    if (status !== OK && status !== NONE) {
      const said = this.sentences[this.view.getInt32(this.error, true) - 1];
      throw new Error(`${this.title}: ${said || "a rule failed"}`);
    }
    return Number(this.view.getBigInt64(this.result, true));
  }

  /** One field of a record at an address: a number, or an array of them in the field's shape. */
  readField({ at, kind, shape }, address) {
    const { view } = this, method = READ[kind], size = Number(kind[1]);
    const one = (place) => { const found = view[method](place, true); return kind === "b1" ? Boolean(found) : typeof found === "bigint" ? whole(found) : found; };
    const several = (place, dimensions) => {
      if (!dimensions.length) return one(place);
      const [count, ...rest] = dimensions, step = rest.reduce((a, b) => a * b, size);
      return Array.from({ length: count }, (_, i) => several(place + i * step, rest));
    };
    return several(address + at, shape);
  }
}

/** A number of 64 bits as an ordinary one where that is exact, else as text, which Python reads as well. */
function whole(big) {
  const number = Number(big);
  return Number.isSafeInteger(number) ? number : big;
}
