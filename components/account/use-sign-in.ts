import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { type Credentials, postPasswordSignIn, postSingleSignOn } from '@/lib/api/auth-requests'
import { formatShortDuration } from '@/lib/time/format-time'

/** `busyMethod` is the provider, the form, or a demo account's e-mail; `credentials` wait for their second factor. */
type Attempt = { busyMethod: string | null; error: string | null; credentials: Credentials | null }
const idle: Attempt = { busyMethod: null, error: null, credentials: null }

export type SignIn = ReturnType<typeof useSignIn>

/** Signs in by password, with or without a code, or at the provider. Success loads a new page, so nothing is kept. */
export function useSignIn(callbackUrl: string, firstError: string | null) {
  const t = useTranslations('signin')
  const locale = useLocale()
  const [attempt, setAttempt] = useState<Attempt>({ ...idle, error: firstError })
  const { credentials } = attempt
  return {
    ...attempt,
    reset: () => setAttempt(idle),
    signIn: async (entered: Credentials, method: string) => {
      setAttempt({ busyMethod: method, error: null, credentials })
      const result = await postPasswordSignIn({ ...entered, callbackUrl })
      if (result.ok) return location.assign(result.path)
      if (result.reason === 'factorNeeded') return setAttempt({ ...idle, credentials: entered })
      const isWrongCode = result.reason === 'wrong' && credentials !== null
      const error =
        'retryAfterSeconds' in result
          ? t(`error.${result.reason}`, { time: formatShortDuration(result.retryAfterSeconds * 1000, locale) })
          : t(`error.${isWrongCode ? 'wrongFactor' : result.reason}`)
      setAttempt({ busyMethod: null, error, credentials })
    },
    signInAtProvider: async (mustChooseAccount: boolean) => {
      setAttempt({ ...idle, busyMethod: 'provider' })
      const url = await postSingleSignOn(callbackUrl, mustChooseAccount ? 'login' : undefined)
      if (url !== null) return location.assign(url)
      setAttempt({ ...idle, error: t('error.unreachable') })
    },
  }
}
