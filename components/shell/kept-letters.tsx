import { useTranslations } from 'next-intl'
import { cancelLetters, useKeptLetters } from '@/components/browser/typing'
import { useForgetElsewhere } from '@/components/contact/reply-wish'
import { Button } from '@/components/ui/button'

/** Says, unless it opens at once, that what is typed waits for what is about to open, and that Escape gives the keys back. */
export function KeptLetters() {
  const t = useTranslations()
  const what = useKeptLetters()
  useForgetElsewhere()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 top-16 z-50 flex justify-center desk:top-4">
      {what !== null && (
        <p className="pointer-events-auto flex animate-appear items-center gap-3 rounded-lg border border-line bg-raised px-4 py-1.5 text-sm shadow-float [animation-delay:400ms] [animation-fill-mode:both]">
          {t(`shell.kept.${what}`)}
          <Button size="sm" onClick={cancelLetters}>
            {t('common.cancel')}
          </Button>
        </p>
      )}
    </div>
  )
}
