import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import {
  type Credentials,
  signInWithPasskey,
  signInWithPassword,
  singleSignOnUrl,
  type SignInResult,
} from '@/lib/api/auth-requests'
import type { PasskeyAssertion } from '@/lib/contract/second-factor'
import { shortDuration } from '@/lib/time/format-time'

type Way = 'password' | 'provider' | 'passkey' | 'code' | (string & {})
type Password = { email: string; password: string }

/**
 * Signing in: what is under way (a way or an account's e-mail), what went wrong, and the e-mail and password that still want a
 * second factor.
 */
export function useSignIn(callbackUrl: string, firstError: string | null) {
  const t = useTranslations('signin.error')
  const locale = useLocale()
  const { busy, error, begin, fail } = useAttempt(firstError)
  const [half, setHalf] = useState<Password | null>(null)

  const finish = (result: SignInResult, given: Credentials | null) => {
    // A whole new page, so that nothing of the time before signing in is kept.
    if (result.ok) return location.assign(result.path)
    if (result.reason === 'factorNeeded') {
      fail(null)
      return setHalf(given)
    }
    if ('retryAfterSeconds' in result) {
      return fail(t(result.reason, { time: shortDuration(result.retryAfterSeconds * 1000, locale) }))
    }
    fail(t(result.reason === 'wrong' && half !== null ? 'wrongFactor' : result.reason))
  }
  const withPassword = async (given: Credentials, way: Way = 'password') => {
    begin(way)
    finish(await signInWithPassword({ ...given, callbackUrl }), given)
  }
  const asked = async (): Promise<string | null> => {
    begin('passkey')
    const assertion = await signedByPasskey()
    if (assertion === null) fail(t('passkey'))
    return assertion && JSON.stringify(assertion)
  }
  return {
    busy,
    error,
    half,
    withPassword,
    withCode: async (code: string) => half && withPassword({ ...half, code }, 'code'),
    /** By itself, or as the second factor beside the password. */
    withPasskey: async () => {
      const assertion = await asked()
      if (assertion === null) return
      if (half) await withPassword({ ...half, assertion }, 'passkey')
      else finish(await signInWithPasskey({ assertion, callbackUrl }), null)
    },
    withProvider: async (otherAccount = false) => {
      begin('provider')
      const url = await singleSignOnUrl(callbackUrl, { otherAccount })
      if (url !== null) return location.assign(url)
      fail(t('unreachable'))
    },
    startOver: () => {
      setHalf(null)
      fail(null)
    },
  }
}

/** What is under way, and what went wrong the last time. */
function useAttempt(firstError: string | null) {
  const [busy, setBusy] = useState<Way | null>(null)
  const [error, setError] = useState(firstError)
  return {
    busy,
    error,
    begin: (way: Way) => {
      setBusy(way)
      setError(null)
    },
    fail: (text: string | null) => {
      setBusy(null)
      setError(text)
    },
  }
}

/** Its code is fetched with the first wish: most people never need it. */
async function signedByPasskey(): Promise<PasskeyAssertion | null> {
  try {
    return await (await import('@/lib/api/passkeys')).askPasskey()
  } catch {
    return null
  }
}
