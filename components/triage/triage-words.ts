import type { useTranslations } from 'next-intl'

/** The translator of every message there is, as `useTranslations()` gives it. */
export type TriageWords = ReturnType<typeof useTranslations<never>>
