import 'server-only'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const demoSecretsSchema = z.object({ authSecret: z.string().min(32), dataKey: z.string().min(43) })
export type DemoSecrets = z.infer<typeof demoSecretsSchema>

/** Reads the secrets of a demo from the data folder, or creates them there, so that its sessions survive a restart. */
export function ensureDemoSecrets(dataDir: string): DemoSecrets {
  const path = join(dataDir, 'demo-secrets.json')
  try {
    return demoSecretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const created = { authSecret: randomBytes(32).toString('base64url'), dataKey: randomBytes(32).toString('base64') }
    writeFileSync(path, JSON.stringify(created), { mode: 0o600 })
    return created
  }
}
