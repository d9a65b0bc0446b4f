import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as tls from 'node:tls'

/** The settings of a file beside the code, where there is one; what the environment has already wins. */
export function loadEnvFile(path = '.env') {
  if (!existsSync(path)) return
  const names = assignmentsIn(readFileSync(path, 'utf8')).map(({ name }) => name)
  const twice = new Set(names.filter((name, at) => names.indexOf(name) < at))
  if (twice.size > 0) throw new Error(`${path} has ${[...twice].join(', ')} more than once: leave one line of each.`)
  const before = process.env.NODE_EXTRA_CA_CERTS
  if (process.loadEnvFile) process.loadEnvFile(path)
  else {
    // Before Node 20.12 only a process that begins can read one.
    const read = [`--env-file=${path}`, '--print', 'JSON.stringify(process.env)']
    Object.assign(process.env, JSON.parse(spawnSync(process.execPath, read, { encoding: 'utf8' }).stdout))
  }
  process.env.INTAG_ENV_FILE ||= path
  trustAuthorities(process.env.NODE_EXTRA_CA_CERTS, before)
}

/** Node itself reads the variable only where its process begins. */
export function trustAuthorities(path, before) {
  if (!path || path === before) return
  const more = textOf(path, 'NODE_EXTRA_CA_CERTS').match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g)
  if (!tls.setDefaultCACertificates || !more)
    throw new Error(
      `NODE_EXTRA_CA_CERTS ${more ? 'must be in the environment for this version of Node' : 'names a file without certificates in PEM'}`,
    )
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...more])
}

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=(?:[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`))?[^\r\n]*/gm
const assignmentsIn = (text) =>
  [...text.matchAll(ASSIGNMENT)].map(({ 0: old, 1: name, index }) => ({ old, name, index }))

/** The text with these settings, each in the place of its line or else at the end, and all else byte for byte. */
export function withSettings(text, changes) {
  return Object.entries(changes).reduce((before, [name, value]) => {
    if (value.includes("'")) throw new Error(`${name} has a quote, which .env cannot hold: use ${name}_FILE.`)
    // Read alike by Node, systemd and container engines.
    const line = `${name}=${/[\s"`#\\$]/.test(value) ? `'${value}'` : value}`
    const found = assignmentsIn(before).find((one) => one.name === name)
    if (found) return before.slice(0, found.index) + line + before.slice(found.index + found.old.length)
    return `${before}${/[^\n]$/.test(before) ? '\n' : ''}${line}\n`
  }, text)
}

/**
 * Takes `--env-file PATH` out of a command's arguments and sets what it holds, over the environment, as systemd would
 * for the service. Answers the other arguments; throws when the file cannot be read.
 */
export function takeEnvFile(args, into = process.env) {
  const at = args.findIndex((arg) => arg === '--env-file' || arg.startsWith('--env-file='))
  if (at === -1) return args
  const inOne = args[at].startsWith('--env-file=')
  const path = inOne ? args[at].slice('--env-file='.length) : args[at + 1]
  if (!path) throw new Error('--env-file needs the path of a file')
  const before = process.env.NODE_EXTRA_CA_CERTS
  // Where setup writes.
  Object.assign(into, settingsIn(textOf(path, '--env-file')), { INTAG_ENV_FILE: path })
  trustAuthorities(process.env.NODE_EXTRA_CA_CERTS, before)
  return [...args.slice(0, at), ...args.slice(at + (inOne ? 1 : 2))]
}

function textOf(path, by) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${by} names a file that cannot be read (${error.code}): ${path}`, { cause: error })
  }
}

const isSpace = (character) => ' \t\n\r'.includes(character)
const isEnd = (character) => character === '\n' || character === '\r'
const NAME = /^([A-Za-z_]\w*)[ \t]*$/

/** As systemd reads `EnvironmentFile` (systemd.exec(5)), not as a shell: spaces, `<` and `#` need no quotes. */
export function settingsIn(text) {
  const settings = {}
  let [name, value, keptLength] = ['', '', 0]
  const keep = (characters, next) => {
    value += characters
    keptLength = value.length
    return next
  }
  const finish = () => {
    const [, valid] = NAME.exec(name) ?? []
    if (valid !== undefined) settings[valid] = value.slice(0, keptLength)
    ;[name, value, keptLength] = ['', '', 0]
    return 'start'
  }
  const states = {
    start: (c) => {
      if (isSpace(c)) return 'start'
      name = c
      return '#;'.includes(c) ? 'comment' : 'name'
    },
    comment: (c) => (isEnd(c) ? 'start' : 'comment'),
    name: (c) => {
      if (c === '=') return 'beforeValue'
      name += c
      return isEnd(c) ? 'start' : 'name'
    },
    beforeValue: (c) => {
      if (isEnd(c)) return finish()
      if (isSpace(c)) return 'beforeValue'
      return { "'": 'single', '"': 'double', '\\': 'escaped' }[c] ?? keep(c, 'plain')
    },
    plain: (c) => {
      if (isEnd(c)) return finish()
      if (c === '\\') return keep('', 'escaped')
      if (!isSpace(c)) return keep(c, 'plain')
      value += c
      return 'plain'
    },
    escaped: (c) => keep(isEnd(c) ? '' : c, 'plain'),
    single: (c) => (c === "'" ? 'beforeValue' : keep(c, 'single')),
    double: (c) => ({ '"': 'beforeValue', '\\': 'escapedInDouble' })[c] ?? keep(c, 'double'),
    escapedInDouble: (c) => keep('"\\`$'.includes(c) ? c : c === '\n' ? '' : `\\${c}`, 'double'),
  }
  let state = 'start'
  for (const character of text) state = states[state](character)
  if (!['start', 'comment', 'name'].includes(state)) finish()
  return settings
}
