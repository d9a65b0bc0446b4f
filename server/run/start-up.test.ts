import { expect, test } from 'vitest'
import { describeDemo } from './start-up'

test('the demo shows its address, its accounts, how to stop it and what to do next', () => {
  const text = describeDemo('http://localhost:4000')
  const accounts = ['staff@', 'manager@', 'admin@', 'password demo']
  for (const words of ['http://localhost:4000', ...accounts, 'Ctrl+C', 'setup']) expect(text).toContain(words)
})
