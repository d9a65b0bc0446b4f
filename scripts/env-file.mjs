import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as tls from 'node:tls'
import * as util from 'node:util'

/** Reads the settings of a file beside the code, if there is one. The environment wins over the file. */
export function loadEnvFile(path = '.env') {
  if (!existsSync(path)) return
  const names = assignmentsIn(readFileSync(path, 'utf8')).map(({ name }) => name)
  const twice = new Set(names.filter((name, at) => names.indexOf(name) < at))
  if (twice.size > 0) throw new Error(`${path} has ${[...twice].join(', ')} more than once: leave one line of each.`)
  const before = process.env.NODE_EXTRA_CA_CERTS
  Object.assign(process.env, { ...settingsIn(path), ...process.env })
  process.env.INTAG_ENV_FILE ||= path
  trustAuthorities(process.env.NODE_EXTRA_CA_CERTS, before)
}

/** Parses the file as Node does. Before Node 20.12 only a process that begins can do it. */
function settingsIn(path) {
  const read = [`--env-file=${path}`, '--print', 'JSON.stringify(process.env)']
  if (!util.parseEnv) return JSON.parse(spawnSync(process.execPath, read, { encoding: 'utf8', env: {} }).stdout)
  return util.parseEnv(readFileSync(path, 'utf8'))
}

/** Node itself reads NODE_EXTRA_CA_CERTS only when its process begins. */
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
    // Node, systemd and container engines read such a line alike.
    const line = `${name}=${/[\s"`#\\$]/.test(value) ? `'${value}'` : value}`
    const found = assignmentsIn(before).find((one) => one.name === name)
    if (found) return before.slice(0, found.index) + line + before.slice(found.index + found.old.length)
    return `${before}${/[^\n]$/.test(before) ? '\n' : ''}${line}\n`
  }, text)
}

/**
 * Sets the settings of `--env-file PATH`, over the environment, as systemd would for the service, and answers the other arguments.
 * Throws when the file cannot be read.
 */
export function takeEnvFile(args, into = process.env) {
  const at = args.findIndex((arg) => arg === '--env-file' || arg.startsWith('--env-file='))
  if (at === -1) return args
  const inOne = args[at].startsWith('--env-file=')
  const path = inOne ? args[at].slice('--env-file='.length) : args[at + 1]
  if (!path) throw new Error('--env-file needs the path of a file')
  const before = process.env.NODE_EXTRA_CA_CERTS
  textOf(path, '--env-file')
  // Setup writes to this file.
  Object.assign(into, settingsIn(path), { INTAG_ENV_FILE: path })
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
