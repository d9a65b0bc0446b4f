import { loadEnv, SettingsError } from '@/server/base/env'

// Prints what is wrong with the settings, all of it at once, and exits with 1.
try {
  loadEnv(process.env)
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exit(1)
}
