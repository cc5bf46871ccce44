// Runs recordings through motion.wasm and through `steps2mqtt analyze --json`; both must say the same, step for step.
//
//   node compare.mjs motion.wasm PROGRAM [RECORDING.csv | DIRECTORY]…
//
// Without a recording a computed walk is taken. Ends with 1 where anything differs.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Motion } from '../../deploy/embedded/motion.mjs'
import { read, recordings, walk } from './recording.mjs'
import { stack } from './stack.mjs'

const [wasm, program, ...named] = process.argv.slice(2)
const module = new WebAssembly.Module(readFileSync(wasm))
const sum = { steps: 0, events: 0, hours: 0, milliseconds: 0, different: 0 }

const folder = mkdtempSync(join(tmpdir(), 'motion-'))
try {
  const computed = join(folder, 'walk.csv')
  writeFileSync(computed, walk().map((sample) => sample.join(',') + '\n').join(''))
  const files = named.length > 0 ? named.flatMap(recordings) : [computed]
  for (let index = 0; index < files.length; index += 64) analyses(files.slice(index, index + 64)).forEach(compare)
  report(named.length > 0 ? `${files.length} recordings (${sum.hours.toFixed(1)} h)` : 'a computed walk')
} finally {
  rmSync(folder, { recursive: true })
}

// What the program says about recordings.
function analyses(files) {
  const run = spawnSync(program, ['analyze', '--json', '--', ...files], { encoding: 'utf8', maxBuffer: 1 << 30 })
  if (run.status !== 0) throw new Error(`${program} analyze ended with ${run.status}: ${run.stderr}`)
  return run.stdout.trim().split('\n').map((line) => JSON.parse(line))
}

function compare(expected) {
  const got = replay(read(expected.recording))
  const fault = difference(expected, got)
  if (fault) {
    sum.different += 1
    console.log(`${expected.recording}: ${fault}`)
  }
  sum.steps += got.steps.length
  sum.events += got.events.length
  sum.hours += expected.duration_s / 3600
}

// What the engine says about samples, times rounded to ms as `analyze` does.
function replay(samples) {
  const motion = new Motion(module)
  const said = { steps: [], events: [] }
  const note = (events) => {
    for (const event of events) {
      const time = Math.round(event.time * 1000) / 1000
      if (event.kind === 'step') said.steps.push(time)
      if (event.kind === 'pause' || event.kind === 'resume') said.events.push(`${event.kind} ${time}`)
    }
  }
  const start = performance.now()
  for (const [time, x, y, z] of samples) note(motion.take(time, x, y, z))
  note(motion.finish())
  sum.milliseconds += performance.now() - start
  return said
}

function difference(expected, got) {
  const lists = [
    ['step', expected.step_times_s, got.steps],
    ['pause or resumption', expected.events.map((event) => `${event.event} ${event.time_s}`), got.events],
  ]
  for (const [name, wanted, given] of lists) {
    const at = wanted.findIndex((value, index) => value !== given[index])
    if (at >= 0) return `${name} ${at + 1} of ${wanted.length} is ${wanted[at]} here, ${given[at]} in WebAssembly`
    if (given.length > wanted.length) return `${name}s: ${wanted.length} here, ${given.length} in WebAssembly`
  }
}

function report(what) {
  const { begin, take } = stack(module, walk())
  const verdict = sum.different > 0 ? `${sum.different} DIFFER` : 'each the same, in number and in time'
  const speed = (sum.milliseconds / sum.hours / 3.6).toFixed(1)
  console.log(`  RAM ${new Motion(module).bytes} bytes, and of the stack ${begin} once to begin, then up to ${take}`)
  console.log(`  against ${program} on ${what}: ${sum.steps} steps, ${sum.events} pauses and resumptions: ${verdict}`)
  // Before that much was run, the figure says more about Node than about the engine.
  if (sum.hours > 1) console.log(`  ${speed} µs for a second of signal in Node ${process.versions.node}`)
  if (sum.different > 0 || sum.steps === 0) process.exitCode = 1
}
