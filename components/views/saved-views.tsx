import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Field, Input } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { LeadListQuery } from '@/lib/api/leads'
import { savedViewsQuery } from '@/lib/api/queries'
import type { LeadList } from '@/lib/contract/lead'
import type { NewView, SavedView } from '@/lib/contract/saved-view'
import { viewQueryOf } from '@/lib/inbox/view-link'

const saveView = (view: NewView) => api('POST /api/views', { body: view })

type SaveViewDialogProps = { list: LeadList; query: LeadListQuery; onClose: () => void }

/** Gives what the list shows a name, for oneself or for everybody. */
export function SaveViewDialog({ list, query, onClose }: SaveViewDialogProps) {
  const t = useTranslations('views')
  const common = useTranslations('common')
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () => saveView({ list, name: name.trim(), query: viewQueryOf(query), shared }),
    onSuccess: async () => {
      toast(t('saved', { name: name.trim() }))
      onClose()
      await client.invalidateQueries({ queryKey: savedViewsQuery.queryKey })
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('save')}>
      <form
        className="flex flex-col gap-4 px-5 pb-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') mutate()
        }}
      >
        <Field label={t('name')} error={isError ? t('failed') : undefined}>
          {(attributes) => (
            <Input
              {...attributes}
              autoFocus
              required
              maxLength={80}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <ShareChoice shared={shared} search={query.q} onChange={setShared} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            {t('saveIt')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type ShareChoiceProps = { shared: boolean; search: string | undefined; onChange: (shared: boolean) => void }

/** A search may hold a name, so whoever shares it is told that it goes along. */
function ShareChoice({ shared, search, onChange }: ShareChoiceProps) {
  const t = useTranslations('views')
  return (
    <>
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={shared}
          onChange={(event) => onChange(event.target.checked)}
          className="mt-0.5 size-4 shrink-0"
        />
        <span>
          {t('share')}
          <span className="block text-xs text-mute">{t('shareHint')}</span>
        </span>
      </label>
      {shared && search !== undefined && <Notice size="sm">{t('sharedSearch', { text: search })}</Notice>}
    </>
  )
}

type Words = ReturnType<typeof useTranslations<never>>

/** Deletes a view at once, with a way back: saving it again. */
export async function removeView(client: QueryClient, view: SavedView, t: Words): Promise<void> {
  const { queryKey } = savedViewsQuery
  const finish = async (work: Promise<unknown>) => {
    const isDone = await work.then(
      () => true,
      () => false,
    )
    if (!isDone) toast(t('shell.views.failed'), { tone: 'error' })
    await client.invalidateQueries({ queryKey })
    return isDone
  }
  const { name, list, query, shared } = view
  client.setQueryData(queryKey, (before) => before && { views: before.views.filter(({ id }) => id !== view.id) })
  if (!(await finish(api('DELETE /api/views/[id]', { params: { id: view.id } })))) return
  toast(t('shell.views.deleted', { name }), {
    action: { label: t('inbox.triage.undo'), onClick: () => void finish(saveView({ name, list, query, shared })) },
  })
}
