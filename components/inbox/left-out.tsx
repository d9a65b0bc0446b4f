import { useTranslations } from 'next-intl'
import type { ListCounts } from '@/lib/contract/list-query'
import { RestOfQueue } from '@/components/views/rest-of-queue'
import type { ListFilters } from './list-filters'

type LeftOutProps = { filters: ListFilters; hidden: ListCounts['hidden'] }

/** At the end of the list: what is not in it and how many that are, so that nobody is told of nothing while it is there. */
export function LeftOut({ filters, hidden }: LeftOutProps) {
  const t = useTranslations('inbox.leftOut')
  const { earlier, snoozed } = filters.params
  return (
    <p className="tabular edge flex min-h-8 flex-wrap items-center gap-x-3 border-t border-line-soft bg-panel py-1 text-xs text-mute empty:hidden print:hidden">
      <RestOfQueue show={t('show')} className={actClass} />
      {earlier === 'all' && (
        <Part text={t('withEarlier')} act={t('hide')} onAct={() => filters.set({ earlier: null })} />
      )}
      {hidden.earlier > 0 && (
        <Part
          text={t('earlier', { count: hidden.earlier })}
          act={t('show')}
          onAct={() => filters.set({ earlier: 'all' })}
        />
      )}
      {snoozed === 'all' && (
        <Part text={t('withSnoozed')} act={t('hide')} onAct={() => filters.set({ snoozed: null })} />
      )}
      {hidden.snoozed > 0 && (
        <Part
          text={t('snoozed', { count: hidden.snoozed })}
          act={t('show')}
          onAct={() => filters.set({ snoozed: 'all' })}
        />
      )}
    </p>
  )
}

const actClass =
  'inline-flex items-center font-medium text-ink underline decoration-line underline-offset-2 hover:decoration-current touch:min-h-11 touch:px-2'

function Part({ text, act, onAct }: { text: string; act: string; onAct: () => void }) {
  return (
    <span>
      {text}{' '}
      <button type="button" aria-label={`${act}: ${text}`} onClick={onAct} className={actClass}>
        {act}
      </button>
    </span>
  )
}
