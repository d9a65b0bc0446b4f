import { loadEnv, SettingsError } from '@/server/base/env'

export const connected = {
  LEADS_API_URL: 'https://service.test/prefix/',
  LEADS_API_TOKEN: 'token-1234567890',
  NEXTAUTH_URL: 'https://intag.skolan.test/',
  NEXTAUTH_SECRET: 'hQ2vX9mLr4TzK8bWcN1sJ6yD',
  DATA_KEY: Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64'),
}

export const invented = () => ({ authSecret: 'i'.repeat(43), dataKey: connected.DATA_KEY })

export function problemsOf(source: Record<string, string>): readonly string[] {
  try {
    loadEnv(source, invented)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
}
