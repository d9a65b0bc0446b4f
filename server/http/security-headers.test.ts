import { expect, test } from 'vitest'
import { createContentSecurityPolicy, createSecurityHeaders } from './security-headers'

const directivesOf = (policy: string): Record<string, string> =>
  Object.fromEntries(policy.split('; ').map((part) => part.split(/ (.*)/s, 2)))

test('only scripts with the nonce run, nothing comes from elsewhere, and only development may evaluate code', () => {
  const policy = createContentSecurityPolicy('abc', false)
  const directives = directivesOf(policy)
  expect(directives).toMatchObject({
    'script-src': "'nonce-abc' 'strict-dynamic'",
    'default-src': "'self'",
    'frame-ancestors': "'none'",
  })
  expect(directives['style-src']).not.toContain('unsafe-inline')
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  expect(directivesOf(createContentSecurityPolicy('abc', true))['script-src']).toContain("'unsafe-eval'")
})

test('https is promised only where there is https', () => {
  const promises = (url: string) => 'strict-transport-security' in createSecurityHeaders({ auth: { url, secret: '' } })
  expect([promises('https://intag.test'), promises('http://localhost:3000')]).toEqual([true, false])
})
