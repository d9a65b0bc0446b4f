import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import {
  type Credentials,
  signInWithPasskey,
  signInWithPassword,
  singleSignOnUrl,
  type SignInResult,
} from '@/lib/api/auth-requests'
import type { PasskeyAssertion } from '@/lib/contract/account'
import { shortDuration } from '@/lib/time/format-time'

type Way = 'password' | 'provider' | 'passkey' | 'code' | (string & {})
type Attempt = { busy: Way | null; error: string | null }
type Password = { email: string; password: string }

export type SigningIn = ReturnType<typeof useSignIn>

/** `busy` is a way or an account's e-mail; `half` what still needs a second factor. */
export function useSignIn(callbackUrl: string, firstError: string | null) {
  const t = useTranslations('signin.error')
  const locale = useLocale()
  const [{ busy, error }, setAttempt] = useState<Attempt>({ busy: null, error: firstError })
  const [half, setHalf] = useState<Password | null>(null)
  const begin = (way: Way) => setAttempt({ busy: way, error: null })
  const fail = (text: string | null) => setAttempt({ busy: null, error: text })

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
  return {
    busy,
    error,
    half,
    withPassword,
    withCode: async (code: string) => half && withPassword({ ...half, code }, 'code'),
    withPasskey: async () => {
      begin('passkey')
      const signed = await signedByPasskey()
      if (signed === null) return fail(t('passkey'))
      const assertion = JSON.stringify(signed)
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

/** Its code is fetched with the first wish: most people never need it. */
async function signedByPasskey(): Promise<PasskeyAssertion | null> {
  try {
    return await (await import('@/lib/api/passkeys')).askPasskey()
  } catch {
    return null
  }
}
