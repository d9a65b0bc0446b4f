import { loadEnv, SettingsError } from '@/server/env'

try {
  loadEnv(process.env)
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exit(1)
}
