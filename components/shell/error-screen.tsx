'use client'

import { useTranslations } from 'next-intl'
import { ErrorPanel } from './error-panel'

type ErrorScreenProps = { error: Error & { digest?: string }; retry: () => void }

/** In place of a screen that failed. The digest finds the error in the log; the error itself is never shown. */
export function ErrorScreen({ error: { digest }, retry }: ErrorScreenProps) {
  const t = useTranslations('errors')
  const words = {
    title: t('title'),
    body: t('body'),
    tryAgain: t('tryAgain'),
    toStart: t('toStart'),
    reference: digest === undefined ? null : t('reference', { digest }),
  }
  return <ErrorPanel words={words} retry={retry} />
}
