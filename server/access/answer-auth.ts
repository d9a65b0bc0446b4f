import 'server-only'
import NextAuth from 'next-auth'
import { NextRequest } from 'next/server'
import { authOptions } from './auth-options'
import { errorResponse } from '@/server/http/error-response'
import { jsonResponse } from '@/server/http/json-response'
import { readText } from '@/server/http/read-text'
import { services } from '@/server/services'

/** An e-mail, a password and a token need far less; next-auth itself would read whatever anybody sends. */
const LIMIT_BYTES = 20_000

type Context = { params: Promise<{ nextauth: string[] }> }

/** Everything below `/api/auth`, as next-auth answers it. */
export async function answerAuth(request: NextRequest, context: Context): Promise<Response> {
  try {
    const limited = request.method === 'POST' ? await withLimitedBody(request) : request
    return inOneShape(await NextAuth(limited, context, authOptions(services())))
  } catch (error) {
    return errorResponse(error)
  }
}

/** next-auth tells in plain text what it does not know how to answer. */
function inOneShape(response: Response): Response {
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return response.status < 400 || isJson ? response : jsonResponse({ error: 'Bad Request' }, response.status)
}

async function withLimitedBody(request: NextRequest): Promise<NextRequest> {
  const body = await readText(request, LIMIT_BYTES)
  return new NextRequest(request.url, { method: request.method, headers: request.headers, body })
}
