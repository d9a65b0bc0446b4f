import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'

/** A Markdown document, taken apart for its screen. HTML in it is not shown, comments neither. */
export function takeApart(markdown: string): { title: string; body: Token[]; parts: Tokens.Heading[] } {
  const tokens = lexer(markdown)
  const first = tokens.find((token): token is Tokens.Heading => isHeading(token) && token.depth === 1)
  const body = tokens.filter((token) => token !== first)
  const parts = body.filter((token): token is Tokens.Heading => isHeading(token) && token.depth === 2)
  return { title: first?.text ?? '', body, parts }
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

/** The name by which a part is linked to. */
export function anchorOf({ text }: Pick<Tokens.Heading, 'text'>): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.join('-')
}

/** Links to the parts of a document, in a line or below each other. */
export function DocumentParts({ parts, isColumn = false }: { parts: readonly Tokens.Heading[]; isColumn?: boolean }) {
  return (
    <ul className={`flex max-w-prose flex-wrap gap-x-4 gap-y-1 text-sm ${isColumn ? 'wide:flex-col' : ''}`}>
      {parts.map((part) => (
        <li key={part.text}>
          <a
            href={`#${anchorOf(part)}`}
            className="inline-block min-h-6 text-accent underline-offset-2 hover:underline"
          >
            {part.text}
          </a>
        </li>
      ))}
    </ul>
  )
}

type DocumentTextProps = {
  body: readonly Token[]
  /** The folder in which the pictures of the document lie; without one it has none. */
  pictures?: string
}

/** Drawn on the server: the browser gets neither the Markdown nor what reads it. */
export function DocumentText({ body, pictures }: DocumentTextProps) {
  const under = body.map((_, index) => body.slice(0, index).findLast(isHeading)?.text ?? '')
  return numbered(body).map(([id, token], index) => {
    const picture = pictureOf(token)
    if (picture && pictures) return <Picture key={id} {...picture} folder={pictures} />
    return <Block key={id} token={token} under={under[index] ?? ''} />
  })
}

/** A paragraph that is a picture and nothing else. */
function pictureOf(token: Token): Tokens.Image | undefined {
  const [only, ...others] = token.type === 'paragraph' ? (token.tokens ?? []) : []
  return others.length === 0 && only?.type === 'image' ? (only as Tokens.Image) : undefined
}

/** In the colours that the page has; the browser fetches the one that is seen. On paper it is the light one. */
function Picture({ href: name, text, folder }: Tokens.Image & { folder: string }) {
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
function numbered<T>(parts: readonly T[]): [id: string, part: T][] {
  return parts.map((part, index) => [String(index), part])
}

/** `under`: the heading it stands under. */
function Block({ token, under }: { token: Token; under: string }): ReactNode {
  switch (token.type) {
    case 'heading':
      return <Heading {...(token as Tokens.Heading)} />
    case 'paragraph':
      return (
        <p className="max-w-prose text-pretty">
          <Inline tokens={token.tokens} />
        </p>
      )
    case 'list':
      return <List {...(token as Tokens.List)} />
    case 'table':
      return <Table table={token as Tokens.Table} name={under} />
    case 'blockquote':
      return (
        <blockquote className="flex max-w-prose flex-col gap-2 border-l-2 border-line pl-4 text-mute">
          <DocumentText body={token.tokens ?? []} />
        </blockquote>
      )
    case 'code':
      return (
        <pre
          tabIndex={0}
          className="scroll-thin overflow-x-auto rounded-md border border-line bg-panel px-3 py-2 text-xs"
        >
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'text':
      return <Inline tokens={token.tokens ?? [token]} />
    default:
      return null
  }
}

const headings = {
  2: 'mt-4 scroll-mt-4 text-lg font-semibold text-balance',
  3: 'mt-2 text-base font-semibold text-balance',
} as const

function Heading(heading: Tokens.Heading) {
  const content = <Inline tokens={heading.tokens} />
  if (heading.depth > 2) return <h3 className={headings[3]}>{content}</h3>
  return (
    <h2 id={anchorOf(heading)} className={headings[2]}>
      {content}
    </h2>
  )
}

function List({ ordered, items }: Tokens.List) {
  const rows = numbered(items).map(([id, item]) => (
    <li key={id} className="pl-1">
      <DocumentText body={item.tokens} />
    </li>
  ))
  const look = 'flex max-w-prose flex-col gap-1 pl-5'
  return ordered ? <ol className={`list-decimal ${look}`}>{rows}</ol> : <ul className={`list-disc ${look}`}>{rows}</ul>
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
            {numbered(header).map(([id, cell]) => (
              <th key={id} scope="col" className="px-3 py-2 font-medium text-mute">
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbered(rows).map(([row, cells]) => (
            <tr key={row} className="border-b border-line-soft last:border-b-0">
              {numbered(cells).map(([id, cell]) => (
                <td key={id} className="min-w-40 px-3 py-2 align-top text-pretty first:min-w-28">
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Inline({ tokens }: { tokens: Token[] | undefined }): ReactNode {
  return numbered(tokens ?? []).map(([id, token]) => <Fragment key={id}>{inline(token)}</Fragment>)
}

function inline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong className="font-semibold">
          <Inline tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      )
    case 'codespan':
      return <Code>{(token as Tokens.Codespan).text}</Code>
    case 'link':
      return <Anchor {...(token as Tokens.Link)} />
    case 'br':
      return <br />
    case 'text':
    case 'escape': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? <Inline tokens={tokens} /> : text
    }
    default:
      return null
  }
}

/** A long path breaks anywhere, a command only between its words: two hyphens must not come apart. */
function Code({ children: text }: { children: string }) {
  const words = text.split(' ')
  return (
    <code className="text-[0.92em] wrap-anywhere">
      {words.length === 1
        ? text
        : numbered(words).map(([id, word], index) => (
            <Fragment key={id}>
              {index > 0 && ' '}
              <span className="inline-block max-w-full">{word}</span>
            </Fragment>
          ))}
    </code>
  )
}

/** Files that lie beside the document are not served, so their names stay words. */
function Anchor({ href, tokens }: Tokens.Link) {
  const content = <Inline tokens={tokens} />
  if (!/^https:\/\/|^mailto:/.test(href)) return content
  return (
    <a href={href} rel="noreferrer" className="text-accent underline underline-offset-2">
      {content}
    </a>
  )
}
