import { expect, test } from 'vitest'
import { contentSecurityPolicy } from '@/server/http/front-door'

const directive = (policy: string, name: string) =>
  policy
    .split('; ')
    .find((part) => part.startsWith(`${name} `))
    ?.slice(name.length + 1)

test('only scripts with the nonce run, and nothing comes from elsewhere', () => {
  const policy = contentSecurityPolicy('abc', false)
  expect(directive(policy, 'script-src')).toBe("'nonce-abc' 'strict-dynamic'")
  expect(directive(policy, 'default-src')).toBe("'self'")
  expect(directive(policy, 'frame-ancestors')).toBe("'none'")
  expect(directive(policy, 'style-src')).not.toContain('unsafe-inline')
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
})

test('only development may evaluate code', () => {
  expect(directive(contentSecurityPolicy('abc', true), 'script-src')).toContain("'unsafe-eval'")
})
