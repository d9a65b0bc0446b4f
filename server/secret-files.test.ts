import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadEnv, SettingsError } from './env'

const folder = mkdtempSync(join(tmpdir(), 'intag-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const key = Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64')
const plain = {
  LEADS_API_URL: 'https://service.test',
  NEXTAUTH_URL: 'https://intag.skolan.test',
}
const inFiles = {
  LEADS_API_TOKEN_FILE: file('token', 'token-1234567890\n'),
  NEXTAUTH_SECRET_FILE: file('secret', 'hQ2vX9mLr4TzK8bWcN1sJ6yD\r\n'),
  DATA_KEY_FILE: file('key', key),
  DATABASE_URL_FILE: file('database', 'postgres://intag:p@localhost/intag\n'),
  REDIS_URL_FILE: file('redis', 'redis://localhost\n'),
  METRICS_TOKEN_FILE: file('metrics', 'seen\n'),
}
const problemsOf = (more: Record<string, string>) => {
  try {
    loadEnv({ ...plain, ...inFiles, ...more })
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
}

test('secrets are read from their files, without the end of the line', () => {
  expect(loadEnv({ ...plain, ...inFiles })).toMatchObject({
    mode: 'connected',
    upstream: { url: 'https://service.test', token: 'token-1234567890' },
    auth: { secret: 'hQ2vX9mLr4TzK8bWcN1sJ6yD' },
    databaseUrl: 'postgres://intag:p@localhost/intag',
    redisUrl: 'redis://localhost',
    metricsToken: 'seen',
  })
})

test('a file that says nothing is named, and neither its path nor what is in it', () => {
  mkdirSync(join(folder, 'a-folder'))
  expect(problemsOf({ LEADS_API_TOKEN_FILE: join(folder, 'nowhere') })).toEqual([
    'LEADS_API_TOKEN_FILE names a file that is not there',
  ])
  expect(problemsOf({ DATA_KEY_FILE: file('empty', '\n') })).toEqual(['DATA_KEY_FILE names a file that is empty'])
  expect(problemsOf({ DATA_KEY_FILE: join(folder, 'a-folder') })).toEqual(['DATA_KEY_FILE names a folder, not a file'])
})

test.skipIf(process.getuid?.() === 0)('a file that Intag may not read is named', () => {
  chmodSync(file('shut', 'x'), 0)
  expect(problemsOf({ DATA_KEY_FILE: join(folder, 'shut') })).toEqual([
    'DATA_KEY_FILE names a file that Intag may not read',
  ])
})

test('a secret stands in one place, and is judged as it would be elsewhere', () => {
  expect(problemsOf({ DATA_KEY: key })).toEqual(['DATA_KEY and DATA_KEY_FILE are both set: one of them is enough'])
  expect(problemsOf({ DATA_KEY_FILE: '' })).toEqual(['DATA_KEY is missing (needed with LEADS_API_URL)'])
  expect(problemsOf({ DATA_KEY_FILE: file('short', 'c2hvcnQ=') })).toEqual(['DATA_KEY must be 32 bytes in base64'])
  expect(() => loadEnv({ LEADS_API_TOKEN_FILE: inFiles.LEADS_API_TOKEN_FILE })).toThrow(/LEADS_API_URL is missing/)
})
