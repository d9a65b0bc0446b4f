import { expect, test } from 'vitest'
import { formatGreeting } from './start-up'

test('the demo shows its address, its accounts, how to stop it and what to do next', () => {
  const text = formatGreeting({ auth: { url: 'http://localhost:4000', secret: 's' }, upstream: null })
  const accounts = ['staff@', 'manager@', 'admin@', 'password demo']
  for (const words of ['http://localhost:4000', ...accounts, 'Ctrl+C', 'setup']) expect(text).toContain(words)
})

test('connected to a service it names its host alone, and no account', () => {
  const upstream = { url: 'https://user:pass@service.test/v1', token: 'secret-token' }
  const text = formatGreeting({ auth: { url: 'https://intag.test', secret: 's' }, upstream })
  expect(text).toContain('from service.test')
  expect(text).not.toMatch(/user|pass|secret|demo/)
})
