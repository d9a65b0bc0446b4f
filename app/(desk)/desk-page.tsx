import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { whileThere } from '@/app/(desk)/while-there'
import { type Areas, SentWords } from '@/components/desk/sent-words'
import { DatabaseAway } from '@/components/shell/database-away'
import { NoAccess } from '@/components/shell/no-access'
import type { Permission } from '@/lib/contract/endpoint'
import { pageSession } from '@/server/access/page-viewer'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import { askedFrom } from '@/server/activity/asked-from'
import { NotFoundError, NotReadyError } from '@/server/errors'
import { addressOf } from '@/server/http/front-door'
import { services } from '@/server/services'

type Frame<Reader> = {
  title: (t: Awaited<ReturnType<typeof getTranslations<never>>>) => string
  areas?: Areas
  /** Renders with its first data. Missing data is Next's "not found"; a database outage is shown on screen. */
  screen: (asked: Asked & { viewer: Reader; session: Session }) => ReactNode | Promise<ReactNode>
  notReady?: ReactNode
}

type Asked = {
  params: Promise<Record<string, string>>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type DeskPage<Wanted extends Permission> = Frame<Allowed<Wanted>> & {
  permission: Wanted
  path: string
}

/** A page behind a permission; its file exports `metadata` as `generateMetadata`, and `Page`. */
export function deskPage<Wanted extends Permission>({ permission, path, ...frame }: DeskPage<Wanted>) {
  return {
    metadata: metadataOf(frame),
    Page: async (asked: Asked) => {
      const { viewer, session } = await pageSession(services())
      if (!may(viewer, permission)) return refused(viewer, permission, path)
      return drawn(frame, { ...asked, viewer, session })
    },
  }
}

export function openPage(frame: Frame<Viewer>) {
  return {
    metadata: metadataOf(frame),
    Page: async (asked: Asked) => drawn(frame, { ...asked, ...(await pageSession(services())) }),
  }
}

function metadataOf({ title }: Pick<Frame<never>, 'title'>) {
  return async (): Promise<Metadata> => ({ title: title(await getTranslations()) })
}

/** Logged like a refused route, once an hour, but not for a prefetch. */
async function refused(viewer: Viewer, wanted: Permission, path: string) {
  if (viewer.withheld.has(wanted)) return <DatabaseAway />
  const asked = await headers()
  if (!asked.has('next-router-prefetch')) {
    askedFrom(addressOf({ headers: asked }), () => services().refusals(viewer.id, 'GET', path))
  }
  return <NoAccess role={viewer.role} />
}

type Drawn<Reader> = Parameters<Frame<Reader>['screen']>[0]

async function drawn<Reader>({ areas, screen, notReady }: Frame<Reader>, asked: Drawn<Reader>) {
  const address = addressOf({ headers: await headers() })
  try {
    const shown = await whileThere(async () => await askedFrom(address, () => screen(asked)))
    if (shown === null) return <DatabaseAway />
    return areas === undefined ? shown : <SentWords areas={areas}>{shown}</SentWords>
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof URIError) notFound()
    if (error instanceof NotReadyError && notReady !== undefined) return notReady
    throw error
  }
}
