// How much of its stack the engine uses, in bytes: once to begin, and at most for a sample.
//
// The stack lies at the bottom of the memory. It is filled with a pattern; what is no longer the pattern was used.

const pattern = 0xa5

export function stack(module, samples) {
  const { memory, __heap_base, motion_bytes, motion_begin, motion_take, motion_poll } =
    new WebAssembly.Instance(module, {}).exports
  memory.grow(1)
  const size = 65536
  const used = (run) => {
    new Uint8Array(memory.buffer, 0, size).fill(pattern)
    run()
    return size - new Uint8Array(memory.buffer, 0, size).findIndex((byte) => byte !== pattern)
  }
  const event = Math.ceil(__heap_base.value / 16) * 16
  let motion
  const begin = used(() => { motion = motion_begin(event + 32, motion_bytes(), 0, 0, 0) })
  const take = used(() => {
    for (const [time, x, y, z] of samples) {
      motion_take(motion, time, x, y, z)
      while (motion_poll(motion, event));
    }
  })
  return { begin, take }
}
