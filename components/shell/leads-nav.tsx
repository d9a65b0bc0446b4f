import { useQuery } from '@tanstack/react-query'
import { Users, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { useCurrentList } from '@/components/app/current-list'
import { DeskLink } from '@/components/app/navigate'
import { QueuesNav } from '@/components/app/queues-nav'
import { useSave } from '@/components/app/use-save'
import { cn } from '@/components/ui/cn'
import { LoadingOrFailure } from '@/components/ui/load-failure'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { savedViewsQuery } from '@/lib/api/queries'
import type { SavedView } from '@/lib/contract/saved-views'
import { isSameQuery, toViewHref } from '@/lib/inbox/view-link'

type LeadsNavProps = { onNavigate?: (() => void) | undefined }

export function LeadsNav({ onNavigate }: LeadsNavProps) {
  const t = useTranslations('shell.views')
  const titleId = useId()
  const viewsQuery = useQuery(savedViewsQuery)
  const views = viewsQuery.data?.views
  return (
    <div className="flex min-h-64 flex-col gap-3 touch:min-h-88">
      <QueuesNav onNavigate={onNavigate} />
      <section aria-labelledby={titleId}>
        <p id={titleId} className="px-2.5 pb-1 text-2xs font-semibold text-faint">
          {t('title')}
        </p>
        {views === undefined && (
          <div className="px-2.5 py-2">
            <LoadingOrFailure query={viewsQuery} className="h-3" />
          </div>
        )}
        {views?.length === 0 && <p className="px-2.5 py-1 text-xs text-faint">{t('none')}</p>}
        <ul className="flex flex-col gap-px">
          {views?.map((view) => (
            <ViewEntry key={view.id} view={view} onNavigate={onNavigate} />
          ))}
        </ul>
      </section>
    </div>
  )
}

function ViewEntry({ view, onNavigate }: LeadsNavProps & { view: SavedView }) {
  const t = useTranslations('shell.views')
  const tTriage = useTranslations('inbox.triage')
  const currentList = useCurrentList()
  const { id, name, list, query, shared, own, count } = view
  // Undo saves a copy under a new id, because a deletion is final.
  const { save: saveCopy } = useSave({
    send: () => api('POST /api/views', { body: { name, list, query, shared } }),
    invalidate: 'GET /api/views',
  })
  const { save: deleteView, busy: isDeleting } = useSave({
    send: () => api('DELETE /api/views/[id]', { params: { id } }),
    invalidate: 'GET /api/views',
    onSaved: () => toast(t('deleted', { name }), { action: { label: tTriage('undo'), onClick: () => saveCopy() } }),
  })
  const isCurrentView = currentList?.list === list && isSameQuery(query, currentList.query)
  return (
    <li className="group relative flex">
      <DeskLink
        href={toViewHref(list, query)}
        // The style sheet dims the list's own link while one of its views is current.
        data-view
        aria-current={isCurrentView ? 'page' : undefined}
        searchText={query.q ?? ''}
        onNavigate={onNavigate}
        className="nav-side nav-link min-w-0 flex-1"
      >
        <span className="truncate">{name}</span>
        {shared && <Users role="img" aria-label={t('shared')} className="size-3 shrink-0 text-faint" />}
        {count !== null && count > 0 && (
          <span className={cn('ml-auto', own && 'group-focus-within:mr-6 group-hover:mr-6 touch:mr-9!')}>
            <span aria-hidden className="block size-1.5 rounded-full bg-accent forced-colors:bg-[CanvasText]" />
            <span className="sr-only">{t('count', { count })}</span>
          </span>
        )}
      </DeskLink>
      {own && (
        <button
          type="button"
          aria-label={t('delete', { name })}
          disabled={isDeleting}
          onClick={() => deleteView()}
          className="absolute inset-y-0 right-1 my-auto grid size-6 place-items-center rounded-sm text-faint opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-hover hover:text-ink focus-visible:opacity-100 touch:size-11 touch:opacity-100"
        >
          <X className="size-3.5" />
        </button>
      )}
    </li>
  )
}
