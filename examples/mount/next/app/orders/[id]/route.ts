import { orderOf } from '../../../../out/src/shop.js'

export async function GET(_: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const order = orderOf((await params).id)
  return Response.json(order ?? {}, { status: order ? 200 : 404 })
}
