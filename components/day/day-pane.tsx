import { useTranslations } from 'next-intl'
import { Kbd } from '@/components/ui/kbd'
import { DayContent } from './day-content'

/** The day beside a list, while no lead is open. */
export function DayPane() {
  const t = useTranslations('lead')
  return (
    // Whoever has only keys scrolls it, too.
    <div
      tabIndex={0}
      role="region"
      aria-label={t('day')}
      className="scroll-thin h-full overflow-y-auto -outline-offset-2"
    >
      <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col px-6 pt-6 pb-4">
        <DayContent isScreen={false} />
        <p className="mt-auto pt-6 text-center text-xs text-faint touch:hidden">
          {t.rich('pickHint', { kbd: (key) => <Kbd>{key}</Kbd> })}
        </p>
      </div>
    </div>
  )
}
