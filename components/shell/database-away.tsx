import { DatabaseZap } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { AskAgain } from '@/components/desk/ask-again'
import { EmptyState } from '@/components/ui/empty-state'

/** In place of a screen that the database is needed for. */
export function DatabaseAway() {
  const t = useTranslations('trouble')
  return (
    <div role="alert" className="grid h-full place-items-center">
      <EmptyState
        icon={<DatabaseZap />}
        isScreen
        title={t('databaseAwayTitle')}
        action={<AskAgain>{t('again')}</AskAgain>}
      >
        {t('databaseAwayBody')}
      </EmptyState>
    </div>
  )
}
