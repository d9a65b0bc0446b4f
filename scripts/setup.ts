import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { resetLink } from '@/server/run/access'
import { type AdminCommand, argumentsOf, UsageError } from '@/server/run/command'
import { lookAtAll } from '@/server/run/doctor'
import { addAdmin, personFrom, usersCommand } from '@/server/run/people'
import { runWherever } from '@/server/run/running'
import { calledAs, loadEnv, SettingsError } from '@/server/base/env'
import { codeOf } from '@/server/base/errors'
import { isLoopbackHost } from '@/server/base/safe-settings'
import { SETTINGS, settingsSchema } from '@/server/base/settings-schema'
import { VALID_MS } from '@/server/access/invitations'
import { trustAuthorities, withSettings } from './env-file.mjs'

const OWN_FILE = '.env'
const FILE = process.env.INTAG_ENV_FILE || OWN_FILE
const OWN = 'NEXTAUTH_URL'
const THIS_MACHINE = `http://localhost:${process.env.PORT || 3000}`
const text = { type: 'string' } as const
const OPTIONS = { url: text, token: text, 'token-file': text, address: text, email: text, name: text } as const

const ASKED = [
  { name: 'LEADS_API_URL', flag: 'url', option: '--url', question: 'Address of the service, with its path' },
  { name: 'LEADS_API_TOKEN', flag: 'token', option: '--token-file', question: 'Its token (not shown)' },
  {
    name: OWN,
    flag: 'address',
    option: '--address',
    question: 'Address people open, or Enter for this machine',
  },
] as const

/** The service takes neither address nor token. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

type Asked = (typeof ASKED)[number]
type Given = Partial<Record<keyof typeof OPTIONS, string>>
type Changes = Record<string, string>

export const setup: AdminCommand = {
  usage:
    'setup [--url URL] [--token-file FILE | --token TOKEN] [--address URL] [--email EMAIL] [--name NAME] [--no-admin] [SETTING[=VALUE] …]',
  says: 'connects Intag to the service: asks, tries the token, writes .env with keys, makes the first administrator',
  more: [
    'What no option names it asks for in a terminal, unless .env has it: a second run changes what is named and nothing else.',
    '--token-file - reads standard input; a token in --token is seen in the list of processes. One request is sent, and',
    'nothing is written unless the service takes the token. --no-admin: only the settings. SETTING=VALUE writes any other,',
    'such as DATABASE_URL=postgres://…; without =VALUE it asks for the value, and does not show it.',
  ].join('\n'),
  isAlone: true,
  run: async (args) => {
    const { values, named } = argumentsOf(args, null, { ...OPTIONS, 'no-admin': { type: 'boolean' } })
    const file = values['token-file']
    const given: Given = file === undefined ? values : { ...values, token: tokenIn(file) }
    const settings = named.map(settingNamed)
    const missing = ASKED.filter(({ name, flag }) => !given[flag] && isUnset(name))
    const hasAdmin = values['no-admin'] !== true && (given.email || isUnset('LEADS_API_URL'))
    requireTerminal([
      ...missing.map(({ option }) => option),
      ...settings.flatMap(({ name, value }) => (value === undefined ? [name] : [])),
      ...(hasAdmin && !given.email ? ['--email'] : []),
    ])
    const changes = madeOf(given)
    for (const { name, value } of settings) changes[name] = value ?? (await ask(`${name} (not shown)`, true))
    trustAuthorities(changes.NODE_EXTRA_CA_CERTS, process.env.NODE_EXTRA_CA_CERTS)
    await connect(changes, missing)
    const person = hasAdmin ? await personOf(given) : null
    const names = Object.keys(changes)
    if (names.length > 0) {
      write(changes)
      const care = 'DATA_KEY' in changes ? ' Keep a copy of DATA_KEY.' : ' A running Intag takes it at its next start.'
      process.stdout.write(`${FILE} has ${names.join(', ')} now.${care}\n`)
    }
    Object.assign(process.env, changes)
    return `${person ? `${await invited(person)}\n` : ''}Now: ${calledAs('start')}${FILE === OWN_FILE ? '' : ` --env-file ${FILE}`}`
  },
}

function isUnset(name: string): boolean {
  return !process.env[name] && !process.env[`${name}_FILE`]
}

function tokenIn(file: string): string {
  try {
    return fs.readFileSync(file === '-' ? 0 : file, 'utf8').trim()
  } catch (error) {
    throw new Error(`--token-file cannot be read (${codeOf(error)}): ${file}`, { cause: error })
  }
}

const KNOWN = new Set([
  ...SETTINGS.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
  'NODE_EXTRA_CA_CERTS',
])

function settingNamed(given: string): { name: string; value: string | undefined } {
  const [name = '', ...rest] = given.split('=')
  if (!KNOWN.has(name)) {
    // Anything else may be a secret.
    const shown = /^[A-Z_]{3,40}=/.test(given) ? name : 'with this name'
    throw new UsageError(`There is no setting ${shown}: docs/settings.md lists them.`)
  }
  return { name, value: rest.length === 0 ? undefined : rest.join('=') }
}

/** What is new, as given or made. */
function madeOf(given: Given): Changes {
  const changes: Changes = {}
  for (const { name, flag } of ASKED) if (given[flag]) changes[name] = given[flag]
  for (const name of ['NEXTAUTH_SECRET', 'DATA_KEY'])
    if (isUnset(name)) changes[name] = randomBytes(32).toString('base64')
  // A real service's data never lies where the demo's does.
  const isDemos = fs.existsSync(join('.data', 'demo-secrets.json'))
  if (isDemos && isUnset('DATA_DIR') && isUnset('DATABASE_URL')) changes.DATA_DIR = '.data-connected'
  return changes
}

/** Asks for what is missing, and the service with it. */
async function connect(changes: Changes, missing: readonly Asked[]): Promise<void> {
  const [ofService, own] = [missing.filter(({ name }) => name !== OWN), missing.find(({ name }) => name === OWN)]
  const fill = async (wanted: readonly Asked[]) => {
    for (const { name, question } of wanted) changes[name] = await askFor(name, question)
  }
  await untilTaken(ofService, async () => {
    await fill(ofService)
    const ready = own === undefined ? changes : { ...changes, [OWN]: THIS_MACHINE }
    process.stdout.write(`${await tried({ ...process.env, ...ready })}\n`)
  })
  await untilTaken(own ? [own] : [], async () => {
    await fill(own ? [own] : [])
    loadEnv({ ...process.env, ...changes })
  })
  const { port, hostname, protocol } = new URL(changes[OWN] ?? 'https://as.before')
  // Without a proxy it is where Intag listens.
  if (protocol === 'http:' && isLoopbackHost(hostname) && port && port !== (process.env.PORT || '3000'))
    changes.PORT ??= port
}

/** What was asked for is asked for again. */
async function untilTaken(wanted: readonly Asked[], work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (wanted.length === 0 || !(error instanceof RefusedError || error instanceof SettingsError)) throw error
      process.stderr.write(`${error.message}\n`)
    }
  }
}

function requireTerminal(options: readonly string[]): void {
  if (options.length === 0 || process.stdin.isTTY) return
  throw new Error(`Missing, and there is no terminal to ask in: ${options.join(', ')}.`)
}

async function askFor(name: Asked['name'], question: string): Promise<string> {
  const isOwn = name === OWN
  for (;;) {
    const answer = await ask(question, name === 'LEADS_API_TOKEN')
    const value = isOwn ? answer || THIS_MACHINE : answer
    const wrong = settingsSchema.shape[name].safeParse(value || ' ').error?.issues[0]?.message
    if (wrong === undefined) return value
    process.stderr.write(`It ${wrong}.\n`)
  }
}

function ask(question: string, isHidden = false): Promise<string> {
  process.stderr.write(`${question}: `)
  const output = isHidden ? {} : { output: process.stderr }
  const lines = createInterface({ input: process.stdin, terminal: true, ...output })
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      if (isHidden) process.stderr.write('\n')
      resolve(line.trim())
      lines.close()
    })
    lines.once('close', () => reject(new Error('\nNothing was written.')))
  })
}

async function askForEmail(): Promise<string> {
  for (;;) {
    const answer = await ask('E-mail of the first administrator')
    if (z.email().safeParse(answer).success) return answer
    process.stderr.write('It must be an email address.\n')
  }
}

async function personOf({ email, name }: Given) {
  const address = email || (await askForEmail())
  const called = name || (email ? '' : await ask('Their name, or Enter'))
  return personFrom({ email: address, name: called || address, role: 'admin', schools: 'all' })
}

/** What the service says; throws the first fault that doctor finds with these settings. */
async function tried(source: NodeJS.ProcessEnv): Promise<string> {
  const checks = await lookAtAll(() => loadEnv(source), true)
  const service = checks.find(({ what }) => what === 'service')
  const wrong = checks.filter((check) => check.state === 'wrong' || (check === service && check.state !== 'ok'))
  if (wrong.length > 0) {
    const sentence = (said: string) => (said.endsWith('?') ? said : `${said}.`)
    const says = wrong.map(({ what, says: found, todo }) => `${what}: ${sentence(found)} ${todo}`).join('\n')
    throw wrong.every((check) => check === service) ? new RefusedError(says) : new Error(says)
  }
  return `The service ${service?.says}.`
}

/** All or nothing, for its owner alone; a new one is never written over one that came meanwhile. */
function write(changes: Changes): void {
  const isThere = fs.existsSync(FILE)
  const path = isThere ? fs.realpathSync(FILE) : FILE
  const draft = `${path}.${process.pid}`
  try {
    const lines = withSettings(isThere ? fs.readFileSync(path, 'utf8') : '', changes)
    fs.writeFileSync(draft, lines, { mode: 0o600, flag: 'wx', flush: true })
    if (isThere) fs.renameSync(draft, path)
    else fs.linkSync(draft, path)
  } catch (error) {
    throw new Error(`${FILE} cannot be written here (${codeOf(error)}); nothing was.`, { cause: error })
  } finally {
    fs.rmSync(draft, { force: true })
  }
  // With it a start without the file is refused, and no demo.
  if (!fs.existsSync(OWN_FILE)) fs.writeFileSync(OWN_FILE, `# Intag's settings are in ${FILE}: --env-file ${FILE}\n`)
}

async function invited({ email, name }: { email: string; name: string }): Promise<string> {
  const run = async (command: AdminCommand, ...args: string[]) => {
    const { code, out, err } = await runWherever(command, args)
    if (code !== 0) throw new Error(err)
    return out
  }
  const people = JSON.parse(await run(usersCommand, '--json')) as { email: string; state: string }[]
  const known = people.find((user) => user.email === email)
  if (known?.state === 'active') return `${email} is there already.`
  const link = known ? await run(resetLink, email) : await run(addAdmin, email, '--name', name)
  const until = new Date(Date.now() + VALID_MS.invitation).toLocaleString('sv-SE', {
    timeStyle: 'short',
    dateStyle: 'short',
  })
  return `${email} chooses a password by this link, once, until ${until}:\n${link}`
}
