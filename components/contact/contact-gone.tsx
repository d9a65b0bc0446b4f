import { UserRoundX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

/** The same for a contact that never was, one that is gone and one out of reach. */
export function ContactGone() {
  const t = useTranslations('contact')
  return (
    <div className="grid h-full place-items-center">
      <EmptyState
        icon={<UserRoundX />}
        isScreen
        title={t('notFound')}
        action={
          <Link href="/declarations" className={buttonClass()}>
            {t('backToLists')}
          </Link>
        }
      >
        {t('notFoundHint')}
      </EmptyState>
    </div>
  )
}
