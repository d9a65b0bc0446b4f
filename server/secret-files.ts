import 'server-only'
import { readFileSync } from 'node:fs'
import type { VariableName } from './variables'

/** What may stand in a file, as containers are given their secrets: `NAME_FILE` names the file that holds `NAME`. */
const SECRETS: readonly VariableName[] = [
  'LEADS_API_TOKEN',
  'NEXTAUTH_SECRET',
  'OIDC_CLIENT_SECRET',
  'BOOTSTRAP_ADMIN_PASSWORD',
  'DATABASE_URL',
  'REDIS_URL',
  'DATA_KEY',
  'DATA_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'SMTP_URL',
]

type Present = Partial<Record<string, string>>

/** The settings with what stands in their files, and what is wrong with those: a line each, never a value or a path. */
export function withSecretFiles(present: Present): { present: Present; problems: string[] } {
  const found = { ...present }
  const problems: string[] = []
  for (const name of SECRETS) {
    const path = found[`${name}_FILE`]
    if (path === undefined) continue
    delete found[`${name}_FILE`]
    if (found[name] !== undefined) {
      problems.push(`${name} and ${name}_FILE are both set: one of them is enough`)
      continue
    }
    const content = contentOf(path)
    if ('value' in content) found[name] = content.value
    else problems.push(`${name}_FILE ${content.problem}`)
  }
  return { present: found, problems }
}

/** Editors and `echo` end a file with a new line, which is no part of the secret. */
function contentOf(path: string): { value: string } | { problem: string } {
  try {
    const value = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '')
    return value.trim() === '' ? { problem: 'names a file that is empty' } : { value }
  } catch (error) {
    return { problem: WORDS[codeOf(error)] ?? 'names a file that cannot be read' }
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'names a file that is not there',
  EACCES: 'names a file that Intag may not read',
  EISDIR: 'names a folder, not a file',
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
