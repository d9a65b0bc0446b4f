import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as tls from 'node:tls'
import * as util from 'node:util'

/**
 * Loads the settings of a file and returns the other arguments. That of `--env-file PATH` wins over the environment, as
 * under systemd; without one `.env` is read, and the environment wins. `INTAG_ENV_FILE` is set to the file's path.
 */
export function loadSettings(args, target = process.env) {
  const words = args.flatMap((arg) => arg.match(/^(--env-file)=(.*)$/s)?.slice(1) ?? arg)
  const index = words.indexOf('--env-file')
  const isNamed = index !== -1
  if (!isNamed && !existsSync('.env')) return args
  const path = isNamed ? words[index + 1] : '.env'
  if (!path) throw new Error('--env-file needs the path of a file')
  const settings = { ...parseSettings(path), INTAG_ENV_FILE: path }
  const merged = isNamed ? { ...target, ...settings } : { ...settings, ...target }
  trustAuthorities(merged.NODE_EXTRA_CA_CERTS)
  Object.assign(target, merged)
  return isNamed ? words.toSpliced(index, 2) : args
}

/** Parses the file as Node does. Before Node 20.12 only a starting process can do that. */
function parseSettings(path) {
  const text = readNamedFile(path, '--env-file')
  const names = findAssignments(text).map(({ name }) => name)
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index))
  if (repeated.size > 0)
    throw new Error(`${path} has ${[...repeated].join(', ')} more than once: leave one line of each.`)
  if (util.parseEnv) return util.parseEnv(text)
  const args = [`--env-file=${path}`, '--print', 'JSON.stringify(process.env)']
  return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8', env: {} }).stdout)
}

/** Trusts the authorities of a file. Node itself has loaded those of its environment when its process started. */
export function trustAuthorities(path) {
  if (!path || path === process.env.NODE_EXTRA_CA_CERTS) return
  const certificates = readNamedFile(path, 'NODE_EXTRA_CA_CERTS').match(
    /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g,
  )
  if (!tls.setDefaultCACertificates || !certificates)
    throw new Error(
      `NODE_EXTRA_CA_CERTS ${certificates ? 'must be in the environment for this version of Node' : 'names a file without certificates in PEM'}`,
    )
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...certificates])
}

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=(?:[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`))?[^\r\n]*/gm
const findAssignments = (text) =>
  [...text.matchAll(ASSIGNMENT)].map(({ 0: old, 1: name, index }) => ({ old, name, index }))

/** Returns the text with these settings: an existing one is replaced in its line, a new one is appended. */
export function mergeSettings(text, changes) {
  return Object.entries(changes).reduce((merged, [name, value]) => {
    if (value.includes("'")) throw new Error(`${name} has a quote, which .env cannot hold: use ${name}_FILE.`)
    // Node, systemd and container engines read such a line alike.
    const line = `${name}=${/[\s"`#\\$]/.test(value) ? `'${value}'` : value}`
    const existing = findAssignments(merged).find((assignment) => assignment.name === name)
    if (existing) return merged.slice(0, existing.index) + line + merged.slice(existing.index + existing.old.length)
    return `${merged}${/[^\n]$/.test(merged) ? '\n' : ''}${line}\n`
  }, text)
}

function readNamedFile(path, option) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${option} names a file that cannot be read (${error.code}): ${path}`, { cause: error })
  }
}
