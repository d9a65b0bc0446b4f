import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { toCommandLine } from '@/server/base/env'
import { readErrorCode } from '@/server/base/error-codes'
import { logOutput } from '@/server/base/logger'
import { SETTINGS } from '@/server/base/settings-schema'
import { runConsole } from '@/server/run/console'
import { runDoctor } from '@/server/run/doctor'
import { buildServices } from '@/server/run/services'
import { mergeSettings, trustAuthorities } from './env-file.mjs'

// Connects Intag to the service. Usage: setup [NAME=VALUE …] [NAME …] [--admin EMAIL] [--name NAME] [--no-admin]. It
// asks for what is missing and for each NAME without a value, and writes nothing unless a start would accept all of it.

const FILE = process.env.INTAG_ENV_FILE || '.env'
const THIS_MACHINE = `http://localhost:${process.env.PORT || 3000}`
const QUESTIONS: Readonly<Record<string, { question: string; isSecret: boolean }>> = {
  LEADS_API_URL: { question: 'Address of the service, with its path', isSecret: false },
  LEADS_API_TOKEN: { question: 'Its token (not shown)', isSecret: true },
  NEXTAUTH_URL: { question: `Address people open, or Enter for ${THIS_MACHINE}`, isSecret: false },
}

logOutput().fd = 2
try {
  const { values, positionals } = parseArgs({
    options: { admin: { type: 'string' }, name: { type: 'string' }, 'no-admin': { type: 'boolean' } },
    allowPositionals: true,
  })
  const isFirstSetup = isUnset('LEADS_API_URL')
  const ask = createPrompt()
  const names = SETTINGS.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]))
  const knownNames = new Set([...names, 'NODE_EXTRA_CA_CERTS'])
  const changes: Record<string, string> = {}
  const missingNames: string[] = []
  for (const word of positionals) {
    const [name = '', ...valueParts] = word.split('=')
    // The message must not repeat the word, which may be a secret.
    if (!knownNames.has(name)) throw new Error('A word is no setting: docs/settings.md lists them.')
    if (valueParts.length > 0) changes[name] = valueParts.join('=')
    else missingNames.push(name)
  }
  for (const name of Object.keys(QUESTIONS)) if (isUnset(name, changes)) missingNames.push(name)
  for (const name of missingNames) {
    const { question, isSecret } = QUESTIONS[name] ?? { question: `${name} (not shown)`, isSecret: true }
    changes[name] = await ask(question, { isSecret })
  }
  if (changes.NEXTAUTH_URL === '') changes.NEXTAUTH_URL = THIS_MACHINE
  for (const name of ['NEXTAUTH_SECRET', 'DATA_KEY'])
    if (isUnset(name, changes)) changes[name] = randomBytes(32).toString('base64')
  // The data of a real service is kept apart from the demo's.
  if (existsSync('.data/demo-secrets.json') && isUnset('DATA_DIR', changes) && isUnset('DATABASE_URL', changes))
    changes.DATA_DIR = '.data-connected'
  const needsAdmin = isFirstSetup && values['no-admin'] !== true && !values.admin
  const email = needsAdmin ? await ask('E-mail of the first administrator') : values.admin
  const fullName = needsAdmin ? await ask('Their name, or Enter') : values.name

  trustAuthorities(changes.NODE_EXTRA_CA_CERTS)
  Object.assign(process.env, changes)
  const checks = await runDoctor(buildServices())
  process.stdout.write(`${checks.text}\n`)
  if (checks.exitCode !== 0) throw new Error('Nothing was written.')
  const path = existsSync(FILE) ? realpathSync(FILE) : FILE
  const temporaryPath = `${path}.${process.pid}`
  try {
    // The file is replaced as a whole, and only its owner can read it.
    const text = mergeSettings(existsSync(path) ? readFileSync(path, 'utf8') : '', changes)
    writeFileSync(temporaryPath, text, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(temporaryPath, path)
  } catch (error) {
    throw new Error(`${FILE} cannot be written here (${readErrorCode(error)}); nothing was.`, { cause: error })
  } finally {
    rmSync(temporaryPath, { force: true })
  }
  process.stdout.write(`${FILE} has ${Object.keys(changes).join(', ')} now. Keep a copy of it with your secrets.\n`)
  if (email) {
    const added = await runConsole(['add-admin', email, '--name', fullName || email])
    if (added.exitCode !== 0) throw new Error(added.text)
    process.stdout.write(`${email} chooses a password by this link, once, within seven days:\n${added.text}\n`)
  }
  process.stdout.write(`Now: ${toCommandLine('start')}${FILE === '.env' ? '' : ` --env-file ${FILE}`}\n`)
  process.exit(0)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function isUnset(name: string, changes: Readonly<Record<string, string>> = {}) {
  return [name, `${name}_FILE`].every((variable) => !process.env[variable] && changes[variable] === undefined)
}

/** Returns a function that asks a question on the terminal and reads one line. */
function createPrompt() {
  let isHidden = false
  const output = new Writable({
    write(echo: Buffer, _encoding, onWritten) {
      if (!isHidden) process.stderr.write(echo)
      onWritten()
    },
  })
  let lines: AsyncIterator<string> | null = null
  return async (question: string, { isSecret = false } = {}): Promise<string> => {
    lines ??= createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })[Symbol.asyncIterator]()
    process.stderr.write(`${question}: `)
    isHidden = isSecret
    const { value, done } = await lines.next()
    isHidden = false
    process.stderr.write('\n')
    if (done === true) throw new Error('That was not answered, and nothing was written.')
    return value.trim()
  }
}
