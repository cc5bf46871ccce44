// Recordings: lines t,x,y,z in s and g.

import { closeSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

// The samples of a recording; what is no sample is passed over.
export function read(file) {
  const rows = readFileSync(file, 'utf8').split('\n').map((line) => line.split(',').map(Number))
  return rows.filter((row) => row.length === 4 && row.every(Number.isFinite))
}

// The recordings that a path names: itself, or all tables of samples in it and below it.
export function recordings(path) {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path, { recursive: true })
  return names.filter((name) => name.endsWith('.csv')).map((name) => join(path, name)).filter(hasSamples).sort()
}

function hasSamples(file) {
  const start = Buffer.alloc(8)
  const descriptor = openSync(file)
  readSync(descriptor, start)
  closeSync(descriptor)
  return start.toString().startsWith('t,x,y,z')
}

// A minute and a half of standing, walking, standing and running at 50 Hz, with noise; the same in each run.
export function walk() {
  const samples = []
  let seed = 1
  const noise = () => 0.02 * ((seed = seed * 16807 % 2147483647) / 2147483647 - 0.5)
  let phase = 0
  for (let index = 0; index < 90 * 50; index += 1) {
    const time = index / 50
    const [cadence, force] = time < 10 ? [0, 0] : time < 45 ? [1.85, 0.25] : time < 60 ? [0, 0] : [2.7, 0.8]
    phase += 2 * Math.PI * cadence / 50
    const up = force * (Math.sin(phase) + 0.4 * Math.sin(2 * phase + 1) + 0.2 * Math.sin(phase / 2))
    const ahead = force * 0.5 * Math.sin(phase + 0.7)
    const values = [time, 0.3 + ahead + noise(), 0.2 * ahead + noise(), 0.95 + up + noise()]
    samples.push(values.map((value) => Number(value.toFixed(5))))
  }
  return samples
}
