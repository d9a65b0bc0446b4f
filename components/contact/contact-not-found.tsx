import { UserRoundX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'

/** A contact that never existed, was erased or is out of scope looks the same, so that nothing is disclosed. */
export function ContactNotFound() {
  const t = useTranslations('contact')
  return (
    <div className="grid h-full place-items-center">
      <EmptyState
        icon={<UserRoundX />}
        isWholeScreen
        title={t('notFound')}
        hint={t('notFoundHint')}
        action={
          <a href="/declarations" className={buttonClass()}>
            {t('backToLists')}
          </a>
        }
      />
    </div>
  )
}
