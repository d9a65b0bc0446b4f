import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** The settings of a file beside the code, where there is one; what the environment has already wins. */
export function loadEnvFile(path = '.env') {
  if (!existsSync(path)) return
  if (process.loadEnvFile) return void process.loadEnvFile(path)
  // Before Node 20.12 only a process that begins can read one.
  const read = [`--env-file=${path}`, '--print', 'JSON.stringify(process.env)']
  Object.assign(process.env, JSON.parse(spawnSync(process.execPath, read, { encoding: 'utf8' }).stdout))
}

/**
 * Takes `--env-file PATH` out of the arguments of a command and sets what stands there, over what the environment has: with systemd's
 * `EnvironmentFile` the service runs with just that. Answers the other arguments; throws when the file cannot be read.
 */
export function takeEnvFile(args, into = process.env) {
  const at = args.findIndex((arg) => arg === '--env-file' || arg.startsWith('--env-file='))
  if (at === -1) return args
  const inOne = args[at].startsWith('--env-file=')
  const path = inOne ? args[at].slice('--env-file='.length) : args[at + 1]
  if (!path) throw new Error('--env-file needs the path of a file')
  Object.assign(into, settingsIn(textOf(path)))
  return [...args.slice(0, at), ...args.slice(at + (inOne ? 1 : 2))]
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`--env-file names a file that cannot be read (${error.code}): ${path}`, { cause: error })
  }
}

/** A name, any number of quoted parts, and what stands unquoted up to the end of the line; a backslash takes the line on. */
const LINE = /^[ \t]*([A-Za-z_]\w*)[ \t]*=((?:[ \t]*(?:'[^']*'|"(?:\\[^]|[^\\"])*"))*)[ \t]*((?:\\[^]|[^\\\n\r])*)/
const COMMENT_OR_OTHER = /^[^\n]*(?:\n|$)/
const QUOTED = /'([^']*)'|"((?:\\[^]|[^\\"])*)"/g

/** By the rules of `EnvironmentFile` (systemd.exec(5)), which are not a shell's: spaces, `<` and `#` need no quotes. */
export function settingsIn(text) {
  const settings = {}
  for (let rest = text.replace(/^\uFEFF/, ''); rest !== '';) {
    const [whole, name, quoted, plain] = LINE.exec(rest) ?? []
    if (whole !== undefined) settings[name] = unquoted(quoted) + plain.replace(/\\([^])/g, atEndOfLine).trimEnd()
    rest = rest.slice((whole ?? '').length).replace(COMMENT_OR_OTHER, '')
  }
  return settings
}

function unquoted(text) {
  const parts = [...text.matchAll(QUOTED)]
  return parts.map(([, single, double]) => single ?? double.replace(/\\([^])/g, inDoubleQuotes)).join('')
}

const atEndOfLine = (_, character) => (/[\n\r]/.test(character) ? '' : character)
const inDoubleQuotes = (both, character) => ('"\\`$'.includes(character) ? character : character === '\n' ? '' : both)
