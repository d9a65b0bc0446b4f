import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { restoreFocus } from '@/components/ui/focus-return'
import { useThisYear } from './clock'
import { usePreference } from './use-preference'

/**
 * Reminds each user once a year that good marketing practice restricts advertising to minors (Swedish Marketing Act,
 * section 5), because who is a minor changes with the year.
 */
export function MinorsNotice() {
  const t = useTranslations('common.minors')
  const year = useThisYear()
  const notice = useRef<HTMLParagraphElement>(null)
  const { value, isPending, save } = usePreference('minors')
  if (isPending || value?.season === year) return null
  const acknowledge = () => {
    // The button has the focus and disappears, so the focus moves to the field.
    const field = notice.current?.closest('form, section')?.querySelector('textarea, select')
    setTimeout(() => restoreFocus(field))
    save({ season: year })
  }
  return (
    <p ref={notice} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 bg-warn px-3.5 py-2 text-xs text-warn-ink">
      <span className="min-w-0 flex-1 basis-60 text-pretty">{t('rule')}</span>
      <Button text={t('understood')} size="sm" onClick={acknowledge} />
    </p>
  )
}
