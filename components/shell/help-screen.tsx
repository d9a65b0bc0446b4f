import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { useTranslations } from 'next-intl'
import { Fragment, type ReactNode } from 'react'
import { PageHeader } from '@/components/ui/headings'
import type { Locale } from '@/lib/i18n/locale'

/** The handbook, drawn on the server: the browser gets neither the Markdown nor what reads it. */
export function HelpScreen({ markdown, locale }: { markdown: string; locale: Locale }) {
  const t = useTranslations('documents')
  const tokens = lexer(markdown)
  const title = tokens.filter(isHeading).find(({ depth }) => depth === 1)?.text ?? ''
  const parts = chapters(tokens)
  return (
    <div className="page">
      <PageHeader title={t('help.title')} lead={t('help.lead')} />
      <div className="flex flex-col gap-6 wide:flex-row-reverse wide:justify-end wide:gap-12">
        <nav aria-label={t('parts')} className="wide:sticky wide:top-4 wide:w-56 wide:self-start print:hidden">
          <ul className="flex max-w-prose flex-wrap gap-x-4 gap-y-1 text-sm wide:flex-col">
            {parts.map(([heading]) => (
              <li key={heading.text}>
                <a
                  href={`#${anchorOf(heading)}`}
                  className="inline-block min-h-6 text-accent underline-offset-2 hover:underline"
                >
                  {heading.text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <article aria-label={title} className="flex min-w-0 max-w-3xl flex-col gap-3 leading-6">
          {parts.map((part) => (
            <section key={part[0].text} className="flex flex-col gap-3">
              <HelpText body={part} pictures={`/help/${locale}`} />
            </section>
          ))}
        </article>
      </div>
    </div>
  )
}

/** By headings of the second level; what is before the first is left out. */
function chapters(tokens: readonly Token[]): [Tokens.Heading, ...Token[]][] {
  const found: [Tokens.Heading, ...Token[]][] = []
  for (const token of tokens) {
    if (isHeading(token) && token.depth === 2) found.push([token])
    else found.at(-1)?.push(token)
  }
  return found
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function anchorOf({ text }: Tokens.Heading): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-')
}

type HelpTextProps = {
  body: readonly Token[]
  /** The folder of the pictures, which stand between paragraphs only. */
  pictures?: string
}

function HelpText({ body, pictures }: HelpTextProps) {
  return withIds(body).map(([id, token], index) => {
    const picture = pictures && pictureOf(token)
    if (picture) return <Picture key={id} name={picture.href} text={picture.text} folder={pictures} />
    // A table is named by the heading above it.
    if (token.type !== 'table') return <Fragment key={id}>{renderToken(token as MarkedToken)}</Fragment>
    return <Table key={id} table={token as Tokens.Table} name={body.slice(0, index).findLast(isHeading)?.text ?? ''} />
  })
}

function pictureOf(token: Token): Tokens.Image | undefined {
  const [only, ...others] = token.type === 'paragraph' ? (token.tokens ?? []) : []
  return others.length === 0 && only?.type === 'image' ? (only as Tokens.Image) : undefined
}

/** In the colours that the page has; the browser fetches the one that is seen. On paper it is the light one. */
function Picture({ name, text, folder }: { name: string; text: string; folder: string }) {
  return (
    <figure className="my-2 flex flex-col gap-1.5">
      {(['light', 'dark'] as const).map((theme) => (
        // oxlint-disable-next-line nextjs/no-img-element -- it has its size already, and next/image would send a script
        <img
          key={theme}
          src={`${folder}/${name}-${theme}.webp`}
          alt={text}
          width={1280}
          height={800}
          loading="lazy"
          className={`h-auto w-full rounded-md border border-line ${LOOK[theme]}`}
        />
      ))}
    </figure>
  )
}

const LOOK = { light: 'not-print:dark:hidden', dark: 'hidden not-print:dark:block' } as const

/** A document that never changes has no better names for its parts than their places. */
function withIds<T>(parts: readonly T[]): [id: string, part: T][] {
  return parts.map((part, index) => [String(index), part])
}

/** The kinds that the handbook has. HTML and comments are not shown. */
function renderToken(token: MarkedToken): ReactNode {
  const inner = 'tokens' in token && token.tokens ? <HelpText body={token.tokens} /> : null
  switch (token.type) {
    case 'heading':
      return (
        <h2 id={anchorOf(token)} className="mt-4 scroll-mt-4 text-lg font-semibold text-balance">
          {inner}
        </h2>
      )
    case 'paragraph':
      return <p className="max-w-prose text-pretty">{inner}</p>
    case 'list':
      return (
        <ul className="flex max-w-prose list-disc flex-col gap-1 pl-5">
          {withIds(token.items).map(([id, item]) => (
            <li key={id} className="pl-1">
              <HelpText body={item.tokens} />
            </li>
          ))}
        </ul>
      )
    case 'strong':
      return <strong className="font-semibold">{inner}</strong>
    case 'em':
      return <em>{inner}</em>
    case 'codespan':
      return <code className="text-[0.92em] wrap-anywhere">{token.text}</code>
    case 'text':
      return inner ?? token.text
    case 'escape':
      return token.text
    default:
      return null
  }
}

/** Scrolls within itself where it is wider than the screen, and can be reached by the keyboard then. */
function Table({ table: { header, rows }, name }: { table: Tokens.Table; name: string }) {
  return (
    <div
      role="region"
      aria-label={name}
      tabIndex={0}
      className="scroll-thin overflow-x-auto rounded-md border border-line bg-panel"
    >
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line">
            {withIds(header).map(([id, cell]) => (
              <th key={id} scope="col" className="px-3 py-2 font-medium text-mute">
                <HelpText body={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {withIds(rows).map(([row, cells]) => (
            <tr key={row} className="border-b border-line-soft last:border-b-0">
              {withIds(cells).map(([id, cell]) => (
                <td key={id} className="min-w-40 px-3 py-2 align-top text-pretty first:min-w-28">
                  <HelpText body={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
