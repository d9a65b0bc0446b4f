// What is printed by whoever knows nothing of our log (Next's greeting, warnings of Node) becomes lines of JSON, too.

const INFO = 30
const WARN = 40
const FATAL = 60
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** Whether lines are to be JSON: as LOG_FORMAT says, and without a word on it wherever nobody sits before a terminal. */
export function wantsJson({ LOG_FORMAT: wanted = 'auto' }, isTerminal) {
  return wanted.trim() === 'json' || (wanted.trim() !== 'text' && !isTerminal)
}

/** Each line of a text as JSON; what is JSON already stays. */
export function jsonLines(text, level, time) {
  return text
    .split('\n')
    .map((line) => line.replace(COLOURS, '').trimEnd())
    .filter((line) => line !== '')
    .map((line) => (isJson(line) ? line : JSON.stringify({ level, time, msg: line.trim() })))
    .map((line) => `${line}\n`)
    .join('')
}

function isJson(line) {
  if (!line.startsWith('{')) return false
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}

/** From now on standard output, standard error and Node's warnings are lines of JSON. */
export function printJson() {
  for (const [stream, level] of [
    [process.stdout, INFO],
    [process.stderr, WARN],
  ]) {
    const print = stream.write.bind(stream)
    stream.write = (chunk, ...rest) => print(jsonLines(String(chunk), level, Date.now()), ...rest)
  }
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message, code }) =>
    process.stderr.write(`${JSON.stringify({ level: WARN, time: Date.now(), msg: message, warning: name, code })}\n`),
  )
}

/** Before the server is up an error that nobody catches ends the process. Answers what forgets about it again. */
export function tellFatal() {
  const tell = (error) => {
    const [first = '', ...at] = String(error?.stack ?? error).split('\n')
    const line = { level: FATAL, time: Date.now(), msg: first, at: at.map((frame) => frame.trim()) }
    process.stderr.write(`${JSON.stringify(line)}\n`)
    process.exit(1)
  }
  process.on('uncaughtException', tell)
  return () => process.removeListener('uncaughtException', tell)
}
