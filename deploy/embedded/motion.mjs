// The motion engine in a page or in Node: samples of an accelerometer in, steps, pauses and activities out.
//
//   const motion = await Motion.load(await (await fetch('motion.wasm')).arrayBuffer())
//   for (const event of motion.take(seconds, x, y, z)) if (event.kind === 'step') steps += 1
//
// Times are in s and accelerations in g, gravity included: what a page's `devicemotion` event gives as
// `accelerationIncludingGravity` is in m/s² (divide by 9.80665), and its `timeStamp` is in ms.

const kinds = [undefined, 'step', 'pause', 'resume', 'activity']
// The activity to show is the first that holds; flags as motion.h has them.
const activities = [[4, 'running'], [2, 'walking'], [8, 'cycling'], [16, 'automotive'], [1, 'stationary']]
const confidences = ['low', 'medium', 'high']
const sensitivities = ['normal', 'low', 'high']

export class Motion {
  #exports
  #motion
  #event

  // Makes an engine from the bytes of motion.wasm, for a wearer of a height and (0: unknown) a step length in m; the
  // sensitivity is normal, low or high.
  static async load(bytes, wearer = {}) {
    return new Motion(await WebAssembly.compile(bytes), wearer)
  }

  // Makes an engine from a module that is compiled already: to have several of them.
  constructor(module, { height = 0, stepLength = 0, sensitivity = 'normal' } = {}) {
    this.#exports = new WebAssembly.Instance(module, {}).exports
    const { memory, __heap_base, motion_bytes, motion_begin } = this.#exports
    // Behind what the module itself uses: first the event that is given out, then the engine.
    this.#event = Math.ceil(__heap_base.value / 16) * 16
    const place = this.#event + 32
    const missing = place + motion_bytes() - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / 65536))
    this.#motion = motion_begin(place, motion_bytes(), height, stepLength, sensitivities.indexOf(sensitivity))
    if (this.#motion === 0) throw new Error('the engine does not take the memory it asked for')
  }

  // The memory of an engine, in bytes.
  get bytes() { return this.#exports.motion_bytes() }

  // Takes a sample; gives the events that it reveals.
  take(time, x, y, z) {
    if (!this.#exports.motion_take(this.#motion, time, x, y, z)) throw new Error('events were lost')
    return this.#events()
  }

  // Ends the signal, as if the wearer had stopped at the last sample.
  finish() {
    if (!this.#exports.motion_finish(this.#motion)) throw new Error('events were lost')
    return this.#events()
  }

  #events() {
    const events = []
    while (this.#exports.motion_poll(this.#motion, this.#event)) {
      const view = new DataView(this.#exports.memory.buffer, this.#event, 24)
      const event = { kind: kinds[view.getUint8(20)], time: view.getFloat64(0, true) }
      if (event.kind === 'step') {
        event.length = view.getFloat32(8, true)
        event.duration = view.getFloat32(12, true)
        event.cadence = view.getFloat32(16, true)
        event.isRunning = view.getUint8(21) === 1
      } else if (event.kind === 'activity') {
        const flags = view.getUint8(22)
        event.activity = activities.find(([flag]) => flags & flag)?.[1] ?? 'unknown'
        event.confidence = confidences[view.getUint8(23)]
      }
      events.push(event)
    }
    return events
  }
}
