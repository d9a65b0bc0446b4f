import { DatabaseZap } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { EmptyState } from '@/components/ui/empty-state'
import { AskAgain } from './ask-again'

/** In place of a screen that is nothing without the database, while that is away; it comes by itself. Drawn on the server. */
export function DatabaseAway() {
  const t = useTranslations('trouble')
  return (
    <div role="alert" className="grid h-full place-items-center">
      <EmptyState
        icon={<DatabaseZap />}
        isScreen
        title={t('databaseAwayTitle')}
        action={<AskAgain label={t('again')} />}
      >
        {t('databaseAwayBody')}
      </EmptyState>
    </div>
  )
}
