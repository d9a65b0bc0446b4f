import 'server-only'
import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import type { FeedList } from '@/lib/contract/lists'

/** An answer of the service, by its SHA-256, before it is read, or `isOver`: after. */
type Note = { list: FeedList; digest: string; isOver: boolean }

export type Watchdog = ReturnType<typeof createWatchdog>
type WatchdogOptions = { folder: string; limitMs?: number }

const LIMIT_MS = 30_000
const TICKS = 30
const STACK_MS = 3_000

/** A thread that kills the process when its event loop has not turned for `limitMs`. Idle while debugging. */
export function createWatchdog({ folder, limitMs = LIMIT_MS }: WatchdogOptions) {
  const state = new Int32Array(new SharedArrayBuffer(8))
  const tickMs = limitMs / TICKS
  let thread: Worker | null = null
  const beat = () => {
    Atomics.add(state, 0, 1)
    Atomics.store(state, 1, debuggerUrl() === undefined ? 0 : 1)
  }
  return {
    start: (): void => {
      beat()
      setInterval(beat, tickMs).unref()
      const workerData = { state, tickMs, limitTicks: TICKS, stackMs: STACK_MS, folder }
      thread = new Worker(WATCHDOG_THREAD, { eval: true, workerData, env: {}, execArgv: [] })
      thread.unref()
      thread.on('error', () => {})
    },
    /** What to blame if the event loop stops from here on. */
    note: (reading: Note): void => thread?.postMessage(reading, []),
  }
}

/**
 * What the thread runs, as text, because a bundler would lose a file. It counts its own ticks, never the clock, so that
 * a machine that slept, or a process that was stopped, has missed nothing.
 */
const WATCHDOG_THREAD = `
const fs = require('node:fs')
const path = require('node:path')
const inspector = require('node:inspector')
const { parentPort, workerData } = require('node:worker_threads')
const { state, tickMs, limitTicks, stackMs, folder } = workerData
const AFTERWARDS_TICKS = 10, MAX_FRAMES = 12, MAX_NAMED = 3

const readings = new Map()
parentPort.on('message', ({ list, digest, isOver }) => {
  readings.delete(list)
  readings.set(list, { list, digest, ticksLeft: isOver ? AFTERWARDS_TICKS : Infinity })
})

let beats = Atomics.load(state, 0), missed = 0
const timer = setInterval(() => {
  const now = Atomics.load(state, 0)
  const hasTurned = now !== beats || Atomics.load(state, 1) === 1
  beats = now
  missed = hasTurned ? 0 : missed + 1
  if (hasTurned) {
    for (const [list, reading] of readings) if (--reading.ticksLeft < 0) readings.delete(list)
  } else if (missed >= limitTicks) {
    clearInterval(timer)
    end()
  }
}, tickMs)

async function end() {
  const read = suspect()
  const at = await stackOfMainThread().catch(() => [])
  const line = { level: 60, time: Date.now(), msg: 'Intag has stood still and is ended, to be started again', list: read?.list, at }
  attempt(() => fs.writeSync(1, JSON.stringify(line) + '\\n'))
  if (read) attempt(() => write(read, at))
  process.kill(process.pid, 'SIGKILL')
}

function suspect() {
  const all = [...readings.values()]
  return all.findLast(({ ticksLeft }) => ticksLeft === Infinity) ?? all.at(-1) ?? null
}

// What was read shortly before may be innocent: it is certain the second time.
function write({ list, digest, ticksLeft }, at) {
  const file = path.join(folder, 'hung-' + list + '.json')
  let isCertain = ticksLeft === Infinity
  attempt(() => { isCertain ||= JSON.parse(fs.readFileSync(file, 'utf8')).digest === digest })
  const verdict = { list, digest, isCertain, at: new Date().toISOString(), stoodAt: at.slice(0, MAX_NAMED).join(' < ') }
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.writeFileSync(file + '.new', JSON.stringify(verdict), { mode: 0o600 })
  fs.renameSync(file + '.new', file)
}

// Names and places only, no values. Empty where one long regular expression blocks the thread.
function stackOfMainThread() {
  return new Promise((resolve, reject) => {
    setTimeout(reject, stackMs)
    const session = new inspector.Session()
    session.connectToMainThread()
    const urls = new Map()
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
    session.on('Debugger.paused', ({ params }) =>
      resolve(params.callFrames.slice(0, MAX_FRAMES).map((frame) => placeOf(frame, urls.get(frame.location.scriptId) ?? ''))),
    )
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  })
}

function placeOf({ functionName, location }, url) {
  const file = decodeURI(url).replace(/^file:\\/\\//, '').replace(process.cwd() + path.sep, '')
  return (functionName || '(anonymous)') + ' (' + file + ':' + (location.lineNumber + 1) + ':' + (location.columnNumber + 1) + ')'
}

function attempt(work) {
  try { work() } catch {}
}
`
