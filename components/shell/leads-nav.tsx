import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Users, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useCurrentList } from '@/components/app/current-list'
import { DeskLink } from '@/components/app/navigate'
import { cn } from '@/components/ui/cn'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { savedViewsQuery } from '@/lib/api/queries'
import type { LeadList } from '@/lib/contract/lead'
import type { SavedView } from '@/lib/contract/list-query'
import { LIST_RESTARTED, presetSearch } from '@/lib/inbox/search-text'
import { isSameQuery, viewHref } from '@/lib/inbox/view-link'
import { entryClass, QueuesNav } from '@/components/app/queues-nav'

type Going = { onGone: (() => void) | undefined }

/** The ways to leads beside the lists: the queues, and the views that the user saved. */
export function LeadsNav({ onGone }: Going) {
  const t = useTranslations('shell.views')
  const { data, isError, refetch } = useQuery(savedViewsQuery)
  return (
    <div className="flex flex-col gap-3">
      <QueuesNav onGone={onGone} />
      <section aria-label={t('title')}>
        <p aria-hidden className="px-2.5 pb-1 text-2xs font-semibold text-faint">
          {t('title')}
        </p>
        {data === undefined && isError && <LoadFailure onRetry={refetch} className="px-2.5" />}
        {data === undefined && !isError && <Skeleton className="mx-2.5 my-2 h-3" />}
        {data?.views.length === 0 && <p className="px-2.5 py-1 text-xs text-faint">{t('none')}</p>}
        {data !== undefined && data.views.length > 0 && (
          <ul className="flex flex-col gap-px">
            {data.views.map((view) => (
              <ViewEntry key={view.id} view={view} onGone={onGone} />
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

function ViewEntry({ view, onGone }: Going & { view: SavedView }) {
  const t = useTranslations('shell.views')
  const undo = useTranslations('inbox.triage')('undo')
  const client = useQueryClient()
  const shown = useCurrentList()
  const { queryKey } = savedViewsQuery
  const finish = async (work: Promise<unknown>) => {
    const isDone = await work.then(
      () => true,
      () => false,
    )
    if (!isDone) toast(t('failed'), { tone: 'error' })
    await client.invalidateQueries({ queryKey })
    return isDone
  }
  // The view is deleted at once, and undo saves it again.
  const remove = async () => {
    const { id, name, list, query, shared } = view
    const saveAgain = () => void finish(api('POST /api/views', { body: { name, list, query, shared } }))
    client.setQueryData(queryKey, (before) => before && { views: before.views.filter((each) => each.id !== id) })
    if (!(await finish(api('DELETE /api/views/[id]', { params: { id } })))) return
    toast(t('deleted', { name }), { action: { label: undo, onClick: saveAgain } })
  }
  const isHere = shown?.list === view.list && isSameQuery(view.query, shown.query)
  return (
    <li className="group relative flex">
      <DeskLink
        href={viewHref(view.list, view.query)}
        data-view
        aria-current={isHere ? 'page' : undefined}
        onNavigate={() => {
          applyViewSearch(view, shown?.list)
          onGone?.()
        }}
        className={`${entryClass} min-w-0 flex-1`}
      >
        <span className="truncate">{view.name}</span>
        {view.shared && <Users role="img" aria-label={t('shared')} className="size-3 shrink-0 text-faint" />}
        {view.count !== null && view.count > 0 && (
          <span className={cn('ml-auto', view.own && 'group-focus-within:mr-6 group-hover:mr-6 touch:mr-9!')}>
            <span aria-hidden className="block size-1.5 rounded-full bg-accent forced-colors:bg-[CanvasText]" />
            <span className="sr-only">{t('count', { count: view.count })}</span>
          </span>
        )}
      </DeskLink>
      {view.own && (
        <button
          type="button"
          aria-label={t('delete', { name: view.name })}
          onClick={() => void remove()}
          className="absolute inset-y-0 right-1 my-auto grid size-6 place-items-center rounded-sm text-faint opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-hover hover:text-ink focus-visible:opacity-100 touch:size-11 touch:opacity-100"
        >
          <X className="size-3.5" />
        </button>
      )}
    </li>
  )
}

/** Lets the list that is about to be shown begin with the view's search text, which is not in its address. */
export function applyViewSearch({ list, query }: Pick<SavedView, 'list' | 'query'>, shown: LeadList | undefined): void {
  const text = query.q ?? ''
  if (shown === list) window.dispatchEvent(new CustomEvent(LIST_RESTARTED, { detail: text }))
  else presetSearch(list, text, window.sessionStorage)
}
