import 'server-only'
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const demoSecretsSchema = z.object({ authSecret: z.string().min(32), dataKey: z.string().min(43) })
export type DemoSecrets = z.infer<typeof demoSecretsSchema>

/** Generated once and kept in the data folder, so that a demo's sessions survive a restart. */
export function readDemoSecrets(dataDir: string): DemoSecrets {
  const path = join(dataDir, 'demo-secrets.json')
  const stored = readStored(path)
  if (stored) return stored
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const made = { authSecret: randomBytes(32).toString('base64url'), dataKey: randomBytes(32).toString('base64') }
  return publish(path, made) ? made : (readStored(path) ?? made)
}

export function isDemoSecret(dataDir: string, secret: string): boolean {
  const stored = readStored(join(dataDir, 'demo-secrets.json'))
  return stored !== null && [stored.authSecret, stored.dataKey].includes(secret)
}

function readStored(path: string): DemoSecrets | null {
  try {
    return demoSecretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/** Linking a finished file is atomic: of two processes that start at once, one wins and the other reads. */
function publish(path: string, secrets: DemoSecrets): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, JSON.stringify(secrets), { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch {
    return false
  } finally {
    unlinkSync(draft)
  }
}
