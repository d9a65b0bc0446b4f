import 'server-only'

/**
 * What the watchdog's thread runs, as text: a file of its own would have to be found again in every build. It counts its own
 * ticks, never the clock, so that a machine that slept or a process that was stopped has missed nothing.
 */
export const WATCHDOG_THREAD = `
const fs = require('node:fs')
const path = require('node:path')
const inspector = require('node:inspector')
const { parentPort, workerData } = require('node:worker_threads')
const { state, tickMs, limitTicks, stackMs, folder } = workerData
const AFTERWARDS_TICKS = 10, MOST_FRAMES = 12, MOST_TOLD = 3

// What is being read, or was until a moment ago, by list; the last one last.
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

// Whatever is being read comes before what was read.
function suspect() {
  const all = [...readings.values()]
  return all.findLast(({ ticksLeft }) => ticksLeft === Infinity) ?? all.at(-1) ?? null
}

// What stood still soon after a reading may have stood over something else: the same answer is to blame the second time.
function write({ list, digest, ticksLeft }, at) {
  const file = path.join(folder, 'hung-' + list + '.json')
  let isCertain = ticksLeft === Infinity
  attempt(() => { isCertain ||= JSON.parse(fs.readFileSync(file, 'utf8')).digest === digest })
  const verdict = { list, digest, isCertain, at: new Date().toISOString(), stoodAt: at.slice(0, MOST_TOLD).join(' < ') }
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.writeFileSync(file + '.new', JSON.stringify(verdict), { mode: 0o600 })
  fs.renameSync(file + '.new', file)
}

// Names and places only: never what a variable holds. One long regular expression answers nothing, and then it goes without.
function stackOfMainThread() {
  return new Promise((resolve, reject) => {
    setTimeout(reject, stackMs)
    const session = new inspector.Session()
    session.connectToMainThread()
    const urls = new Map()
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
    session.on('Debugger.paused', ({ params }) =>
      resolve(params.callFrames.slice(0, MOST_FRAMES).map((frame) => placeOf(frame, urls.get(frame.location.scriptId) ?? ''))),
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
