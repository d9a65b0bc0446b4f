// Turns into JSON what is printed past our log (Next's greeting, warnings of Node).

const INFO = 30
const WARN = 40
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

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
