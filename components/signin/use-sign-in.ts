'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { shortDuration } from '@/lib/time/format-time'
import { type SignInResult, signInWithPassword, singleSignOnUrl } from './auth-requests'

type Way = 'password' | 'provider' | (string & {})

/** Signing in, what is under way (a way or an account's e-mail) and what went wrong. */
export function useSignIn(callbackUrl: string, firstError: string | null) {
  const t = useTranslations('signin.error')
  const locale = useLocale()
  const [busy, setBusy] = useState<Way | null>(null)
  const [error, setError] = useState(firstError)

  const withPassword = async (email: string, password: string, way: Way = 'password') => {
    setBusy(way)
    setError(null)
    const result = await signInWithPassword({ email, password, callbackUrl })
    // A whole new page, so that nothing of the time before signing in is kept.
    if (result.ok) return location.assign(result.path)
    setBusy(null)
    setError(wordsFor(result))
  }
  const withProvider = async () => {
    setBusy('provider')
    setError(null)
    const url = await singleSignOnUrl(callbackUrl)
    if (url !== null) return location.assign(url)
    setBusy(null)
    setError(t('unreachable'))
  }
  const wordsFor = (result: Extract<SignInResult, { ok: false }>) =>
    result.reason === 'tooMany'
      ? t('tooMany', { time: shortDuration(result.retryAfterSeconds * 1000, locale) })
      : t(result.reason)
  return { busy, error, withPassword, withProvider }
}
