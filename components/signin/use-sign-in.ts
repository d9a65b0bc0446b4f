import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { type Credentials, signInWithPassword, singleSignOnUrl, type SignInResult } from '@/lib/api/auth-requests'
import { shortDuration } from '@/lib/time/format-time'

type SignInMethod = 'password' | 'provider' | 'code' | (string & {})
type Attempt = { busy: SignInMethod | null; error: string | null }
type Password = { email: string; password: string }

export type SigningIn = ReturnType<typeof useSignIn>

/** `busy` is a way or an account's e-mail. */
export function useSignIn(callbackUrl: string, firstError: string | null) {
  const t = useTranslations('signin.error')
  const locale = useLocale()
  const [{ busy, error }, setAttempt] = useState<Attempt>({ busy: null, error: firstError })
  const [awaitingFactor, setAwaitingFactor] = useState<Password | null>(null)
  const begin = (method: SignInMethod) => setAttempt({ busy: method, error: null })
  const fail = (text: string | null) => setAttempt({ busy: null, error: text })

  const finish = (result: SignInResult, credentials: Credentials) => {
    // A whole new page, so that nothing of the time before signing in is kept.
    if (result.ok) return location.assign(result.path)
    if (result.reason === 'factorNeeded') {
      fail(null)
      return setAwaitingFactor(credentials)
    }
    if ('retryAfterSeconds' in result) {
      return fail(t(result.reason, { time: shortDuration(result.retryAfterSeconds * 1000, locale) }))
    }
    fail(t(result.reason === 'wrong' && awaitingFactor !== null ? 'wrongFactor' : result.reason))
  }
  const withPassword = async (credentials: Credentials, method: SignInMethod = 'password') => {
    begin(method)
    finish(await signInWithPassword({ ...credentials, callbackUrl }), credentials)
  }
  return {
    busy,
    error,
    awaitingFactor,
    withPassword,
    withCode: async (code: string) => awaitingFactor && withPassword({ ...awaitingFactor, code }, 'code'),
    withProvider: async (otherAccount = false) => {
      begin('provider')
      const url = await singleSignOnUrl(callbackUrl, { otherAccount })
      if (url !== null) return location.assign(url)
      fail(t('unreachable'))
    },
    startOver: () => {
      setAwaitingFactor(null)
      fail(null)
    },
  }
}
