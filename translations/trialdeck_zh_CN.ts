<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Connection</name>
    <message>
        <source>Name</source>
        <extracomment>Step of connecting: the host&apos;s name is looked up</extracomment>
        <translation>名称</translation>
    </message>
    <message>
        <source>Host key</source>
        <extracomment>Step of connecting over SSH</extracomment>
        <translation>主机密钥</translation>
    </message>
    <message>
        <source>Login</source>
        <extracomment>Step of connecting over SSH</extracomment>
        <translation>登录</translation>
    </message>
    <message>
        <source>Shell</source>
        <extracomment>Step of connecting over SSH: the login shell runs a command</extracomment>
        <translation>Shell</translation>
    </message>
    <message>
        <source>Home</source>
        <extracomment>Step of connecting: a folder for the head&apos;s program is found</extracomment>
        <translation>主目录</translation>
    </message>
    <message>
        <source>Head</source>
        <extracomment>Step of connecting: the head&apos;s program is put there and started</extracomment>
        <translation>头节点（head）</translation>
    </message>
    <message>
        <source>Version</source>
        <extracomment>Step of connecting: the head has answered and its version fits</extracomment>
        <translation>版本</translation>
    </message>
    <message>
        <source>not yet</source>
        <extracomment>State of a step of connecting</extracomment>
        <translation>尚未进行</translation>
    </message>
    <message>
        <source>under way</source>
        <extracomment>State of a step of connecting</extracomment>
        <translation>进行中</translation>
    </message>
    <message>
        <source>done</source>
        <extracomment>State of a step of connecting</extracomment>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <extracomment>State of a step of connecting</extracomment>
        <translation>失败</translation>
    </message>
    <message>
        <source>still holds</source>
        <extracomment>State of a step of connecting: the login before still holds, so that it was not needed</extracomment>
        <translation>沿用之前的登录</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <extracomment>A time span in milliseconds</extracomment>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>Log in</source>
        <extracomment>Button that sends a password or another answer</extracomment>
        <translation>登录</translation>
    </message>
    <message>
        <source>The last answer was refused.</source>
        <translation>上次的回答未被接受。</translation>
    </message>
    <message>
        <source>Is this the host you mean?</source>
        <translation>这是你要连接的主机吗？</translation>
    </message>
    <message>
        <source>%1 is new to this computer. Compare its fingerprint with what its administrator or provider tells you.</source>
        <extracomment>%1 is a host</extracomment>
        <translation>本机首次连接 %1。请与管理员或服务商提供的指纹核对。</translation>
    </message>
    <message>
        <source>Trust and connect</source>
        <extracomment>Button: this host key is the right one</extracomment>
        <translation>信任并连接</translation>
    </message>
    <message>
        <source>%1 is a new host: is its fingerprint the right one?</source>
        <extracomment>%1 is a connection</extracomment>
        <translation>%1 是新主机：它的指纹正确吗？</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Password of %1</source>
        <extracomment>Title of a question; %1 is such as &quot;ada@gpu-head&quot;</extracomment>
        <translation>%1 的密码</translation>
    </message>
    <message>
        <source>%1 asks for a password.</source>
        <extracomment>%1 is a connection</extracomment>
        <translation>%1 需要密码。</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>密钥口令</translation>
    </message>
    <message>
        <source>Passphrase of a key</source>
        <extracomment>Title of a question</extracomment>
        <translation>密钥的口令</translation>
    </message>
    <message>
        <source>The key %1 is locked.</source>
        <extracomment>%1 is a file</extracomment>
        <translation>密钥 %1 已加锁。</translation>
    </message>
    <message>
        <source>Unlock</source>
        <extracomment>Button that unlocks a key with its passphrase</extracomment>
        <translation>解锁</translation>
    </message>
    <message>
        <source>%1 needs a key that is locked.</source>
        <extracomment>%1 is a connection</extracomment>
        <translation>%1 所需的密钥已加锁。</translation>
    </message>
    <message>
        <source>Answer</source>
        <extracomment>Button that sends the answer to a question of a host</extracomment>
        <translation>回答</translation>
    </message>
    <message>
        <source>%1 asks</source>
        <extracomment>Title of a question; %1 is such as &quot;ada@gpu-head&quot;</extracomment>
        <translation>%1 提问</translation>
    </message>
    <message>
        <source>%1 asks you something before it lets you in.</source>
        <extracomment>%1 is a connection</extracomment>
        <translation>%1 登录前需要你回答问题。</translation>
    </message>
</context>
<context>
    <name>ConnectionDraft</name>
    <message>
        <source>A host&apos;s name has no blanks and does not begin with a hyphen.</source>
        <translation>主机名不能含空格，也不能以连字符开头。</translation>
    </message>
    <message>
        <source>A port is a number from 1 to 65535.</source>
        <translation>端口是 1 到 65535 的数字。</translation>
    </message>
    <message>
        <source>A user&apos;s name has no blanks and does not begin with a hyphen.</source>
        <translation>用户名不能含空格，也不能以连字符开头。</translation>
    </message>
    <message>
        <source>There is no such file on this computer.</source>
        <translation>本机上没有这个文件。</translation>
    </message>
    <message>
        <source>There is a connection of this name already. Give this one another.</source>
        <translation>已有同名连接，请换一个名称。</translation>
    </message>
    <message>
        <source>A folder on the host begins with / or ~.</source>
        <translation>主机上的目录以 / 或 ~ 开头。</translation>
    </message>
</context>
<context>
    <name>Connections</name>
    <message>
        <source>This computer</source>
        <extracomment>Name of the connection to the head on this machine</extracomment>
        <translation>本机</translation>
    </message>
</context>
<context>
    <name>Durations</name>
    <message>
        <source>%1 s</source>
        <extracomment>A time span in seconds, such as &quot;0.8 s&quot;</extracomment>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 m %2 s</source>
        <extracomment>A time span in minutes and seconds, such as &quot;4 m 12 s&quot;</extracomment>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 m</source>
        <extracomment>A time span in hours and minutes, such as &quot;2 h 05 m&quot;</extracomment>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <extracomment>A time span in days and hours, such as &quot;3 d 4 h&quot;</extracomment>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>%1 m</source>
        <extracomment>A time span in minutes, such as &quot;4 m&quot;</extracomment>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>%1 h</source>
        <extracomment>A time span in hours, such as &quot;2 h&quot;</extracomment>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 d</source>
        <extracomment>A time span in days, such as &quot;3 d&quot;</extracomment>
        <translation>%1 天</translation>
    </message>
</context>
<context>
    <name>Ending</name>
    <message numerus="yes">
        <source>%1: %2, %3 of %n trial(s) ended, %4 with an error</source>
        <extracomment>%1 is the experiment&apos;s name, %2 its state, %3 and %4 are numbers of its %n trials</extracomment>
        <translation>
            <numerusform>%1：%2，%n 个 Trial 中 %3 个已结束，其中 %4 个出错</numerusform>
        </translation>
    </message>
    <message>
        <source>Trial %1: %2</source>
        <extracomment>%1 is a trial&apos;s number, %2 a sentence about its end</extracomment>
        <translation>Trial %1：%2</translation>
    </message>
    <message numerus="yes">
        <source>and %n more trial(s)</source>
        <extracomment>%n trials with an error have not been named</extracomment>
        <translation>
            <numerusform>以及另外 %n 个 Trial</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Errands</name>
    <message>
        <source>There is no experiment &quot;%1&quot;.</source>
        <translation>没有名为“%1”的实验。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <extracomment>%1 is a file, %2 the system&apos;s reason</extracomment>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 is not UTF-8 text.</source>
        <translation>%1 不是 UTF-8 文本。</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>The program trialdeck-head was not found beside trialdeck.</source>
        <translation>在 trialdeck 旁没有找到程序 trialdeck-head。</translation>
    </message>
    <message>
        <source>Trialdeck made a mistake. Please report it with the details.</source>
        <translation>Trialdeck 内部出错。请附上详情反馈此问题。</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>It took too long and was given up. Try again.</source>
        <translation>操作超时，已放弃。请重试。</translation>
    </message>
    <message>
        <source>This is not available now. {reason}</source>
        <translation>目前不可用。{reason}</translation>
    </message>
    <message>
        <source>{path} does not exist.</source>
        <translation>{path} 不存在。</translation>
    </message>
    <message>
        <source>{path} exists already.</source>
        <translation>{path} 已经存在。</translation>
    </message>
    <message>
        <source>You may not read or write {path}. Change its permissions or choose another place.</source>
        <translation>没有读写 {path} 的权限。请修改其权限或选择其他位置。</translation>
    </message>
    <message>
        <source>{path} could not be read or written: {reason}.</source>
        <translation>无法读写 {path}：{reason}。</translation>
    </message>
    <message>
        <source>The disk of {path} is full. Make room there, then resume.</source>
        <translation>{path} 所在的磁盘已满。请腾出空间，然后继续。</translation>
    </message>
    <message>
        <source>{path} is not a folder.</source>
        <translation>{path} 不是目录。</translation>
    </message>
    <message>
        <source>{path} is on a read-only disk. Choose another storage folder.</source>
        <translation>{path} 位于只读磁盘上。请选择其他存储目录。</translation>
    </message>
    <message>
        <source>The file system of {path} has no locks.</source>
        <translation>{path} 所在的文件系统不支持文件锁。</translation>
    </message>
    <message>
        <source>This is not valid JSON (byte {offset}).</source>
        <translation>这不是有效的 JSON（第 {offset} 字节）。</translation>
    </message>
    <message>
        <source>The text is not UTF-8 (byte {offset}). Save it as UTF-8.</source>
        <translation>文本不是 UTF-8 编码（第 {offset} 字节）。请另存为 UTF-8。</translation>
    </message>
    <message>
        <source>Lists and maps are nested too deeply: at most {limit} levels are allowed.</source>
        <translation>列表和映射嵌套过深：最多允许 {limit} 层。</translation>
    </message>
    <message>
        <source>This is too large; the limit is {limit}.</source>
        <translation>内容过大；上限为 {limit}。</translation>
    </message>
    <message>
        <source>A message could not be read (byte {offset}).</source>
        <translation>无法读取消息（第 {offset} 字节）。</translation>
    </message>
    <message>
        <source>The program {command} was not found. Check its spelling, or give its full path.</source>
        <translation>找不到程序 {command}。请检查拼写，或填写完整路径。</translation>
    </message>
    <message>
        <source>{command} is not a program that can be run. Make it executable (chmod +x) or name the interpreter.</source>
        <translation>{command} 不是可运行的程序。请赋予执行权限（chmod +x），或指定解释器。</translation>
    </message>
    <message>
        <source>{command} could not be started: {reason}.</source>
        <translation>无法启动 {command}：{reason}。</translation>
    </message>
    <message>
        <source>The working directory {path} does not exist.</source>
        <translation>工作目录 {path} 不存在。</translation>
    </message>
    <message>
        <source>The connection carried something that is not ours. {found}</source>
        <translation>连接中出现了无法识别的内容。{found}</translation>
    </message>
    <message>
        <source>A message was not understood.</source>
        <translation>无法理解收到的消息。</translation>
    </message>
    <message>
        <source>The head does not know &quot;{method}&quot;. It may be an older version.</source>
        <translation>头节点（head）不支持“{method}”，可能版本较旧。</translation>
    </message>
    <message>
        <source>A message lacks the field {field}.</source>
        <translation>消息缺少字段 {field}。</translation>
    </message>
    <message>
        <source>The field {field} of a message has the wrong kind of value.</source>
        <translation>消息的字段 {field} 类型不对。</translation>
    </message>
    <message>
        <source>Window and head speak different versions. Update the older one.</source>
        <translation>窗口与头节点（head）的协议版本不同。请更新较旧的一方。</translation>
    </message>
    <message>
        <source>The connection to the head was lost. What is shown is the last known state.</source>
        <translation>与头节点（head）的连接已断开。显示的是最后已知的状态。</translation>
    </message>
    <message>
        <source>The head does not accept connections.</source>
        <translation>头节点（head）拒绝连接。</translation>
    </message>
    <message>
        <source>The head did not answer. {printed}</source>
        <translation>头节点（head）没有响应。{printed}</translation>
    </message>
    <message>
        <source>The line broke before the head answered; whether it was done is not known. Look at the experiment&apos;s state.</source>
        <translation>头节点（head）答复前连接断开，不知道命令是否已执行。请查看实验的状态。</translation>
    </message>
    <message>
        <source>Another build of the head has taken over.</source>
        <translation>头节点（head）已由另一个版本接管。</translation>
    </message>
    <message>
        <source>The program ssh was not found on this computer. Install the OpenSSH client.</source>
        <translation>本机没有找到 ssh 程序。请安装 OpenSSH 客户端。</translation>
    </message>
    <message>
        <source>The SSH client does not accept its configuration: {reason}</source>
        <translation>SSH 客户端不接受其配置：{reason}</translation>
    </message>
    <message>
        <source>There is no host called {host}. Check the name, or whether the network or VPN is up.</source>
        <translation>找不到名为 {host} 的主机。请检查名称，以及网络或 VPN 是否已连接。</translation>
    </message>
    <message>
        <source>{host} cannot be reached: {reason}. Check the network, VPN or firewall.</source>
        <translation>无法到达 {host}：{reason}。请检查网络、VPN 或防火墙。</translation>
    </message>
    <message>
        <source>{host} refuses connections on this port. Check the port, and whether its SSH server runs.</source>
        <translation>{host} 在该端口拒绝连接。请检查端口，以及其 SSH 服务是否在运行。</translation>
    </message>
    <message>
        <source>What answers at {host} is not an SSH server. Check host and port.</source>
        <translation>{host} 上应答的不是 SSH 服务。请检查主机和端口。</translation>
    </message>
    <message>
        <source>This computer and {host} have no algorithm in common: {reason}. Update the older of the two.</source>
        <translation>本机与 {host} 没有共同支持的算法：{reason}。请更新较旧的一方。</translation>
    </message>
    <message>
        <source>The host key of {host} is marked as revoked. Do not connect before its administrator has given it a new one.</source>
        <translation>{host} 的主机密钥已被吊销。在管理员更换密钥之前请勿连接。</translation>
    </message>
    <message>
        <source>The host key of {host} was not confirmed, so nothing was sent to it.</source>
        <translation>{host} 的主机密钥未被确认，没有向它发送任何内容。</translation>
    </message>
    <message>
        <source>{host} does not let you in with what was offered. It accepts: {methods}. Check user, key or password.</source>
        <translation>{host} 拒绝了所提供的登录凭据。它接受：{methods}。请检查用户名、密钥或密码。</translation>
    </message>
    <message>
        <source>{host} ended the login after too many tries. Name the right key for this host, so that no others are offered.</source>
        <translation>登录尝试过多，{host} 结束了连接。请为该主机指定正确的密钥，避免尝试其他密钥。</translation>
    </message>
    <message>
        <source>The key {path} cannot be used: {reason}.</source>
        <translation>密钥 {path} 无法使用：{reason}。</translation>
    </message>
    <message>
        <source>{host} allows no further session on this connection (MaxSessions). Close another one.</source>
        <translation>{host} 不允许在此连接上再开会话（MaxSessions）。请先关闭其他会话。</translation>
    </message>
    <message>
        <source>The login script on {host} does not let commands through. {printed}</source>
        <translation>{host} 上的登录脚本不让命令通过。{printed}</translation>
    </message>
    <message>
        <source>The account on {host} has no shell that runs commands. {printed}</source>
        <translation>{host} 上的账户没有可以执行命令的 shell。{printed}</translation>
    </message>
    <message>
        <source>{host} does not let connections through to its ports. Its administrator can allow it (AllowTcpForwarding).</source>
        <translation>{host} 不允许连接到它的端口。可请管理员开启（AllowTcpForwarding）。</translation>
    </message>
    <message>
        <source>Nothing listens at port {port} on {host}. Start the program there first.</source>
        <translation>{host} 的端口 {port} 上没有程序在监听。请先在那里启动程序。</translation>
    </message>
    <message>
        <source>Port {port} of this computer is used by another program. Choose another one.</source>
        <translation>本机端口 {port} 已被其他程序占用。请换一个端口。</translation>
    </message>
    <message>
        <source>{program} did not start on {host}. {printed}</source>
        <translation>{program} 未能在 {host} 上启动。{printed}</translation>
    </message>
    <message>
        <source>{program} on {host} has ended. Start it again.</source>
        <translation>{host} 上的 {program} 已退出。请重新启动。</translation>
    </message>
    <message>
        <source>{host} is {system} on {machine}. Trialdeck&apos;s head runs on Linux on x86_64.</source>
        <translation>{host} 是 {machine} 上的 {system}。Trialdeck 的 head 需要 x86_64 上的 Linux。</translation>
    </message>
    <message>
        <source>There is no folder on {host} where the head can be put: {reason}. Free some space, or set the folder in the connection.</source>
        <translation>{host} 上没有可以部署 head 的目录：{reason}。请释放空间，或在连接中指定目录。</translation>
    </message>
    <message>
        <source>The head was put on {host} but does not run there: {reason}</source>
        <translation>head 已部署到 {host}，但无法在那里运行：{reason}</translation>
    </message>
    <message>
        <source>What arrived on {host} differs from what was sent. Nothing was changed there; connect again.</source>
        <translation>到达 {host} 的内容与发送的不同。那里没有任何更改；请重新连接。</translation>
    </message>
    <message>
        <source>The folders could not be synced: {reason}</source>
        <translation>无法同步目录：{reason}</translation>
    </message>
    <message>
        <source>The head of this home runs on {daemon_host}, which cannot be reached through {host}: {reason}. Connect to {daemon_host} itself.</source>
        <translation>此主目录的 head 运行在 {daemon_host} 上，但无法经由 {host} 到达：{reason}。请直接连接 {daemon_host}。</translation>
    </message>
    <message>
        <source>On {host} the trials end when {user} logs out. Run &quot;loginctl enable-linger&quot; there, then shut the head down and connect again.</source>
        <translation>{user} 从 {host} 注销后 Trial 会结束。请在那里运行“loginctl enable-linger”，然后关闭 head 并重新连接。</translation>
    </message>
    <message>
        <source>The clock of {host} differs from this computer&apos;s by {seconds} s. Set both by a time server.</source>
        <translation>{host} 的时钟与本机相差 {seconds} 秒。请让两者都与时间服务器同步。</translation>
    </message>
    <message>
        <source>This is not valid YAML. {reason}</source>
        <translation>这不是有效的 YAML。{reason}</translation>
    </message>
    <message>
        <source>An experiment.yaml begins with keys such as name: and trial:.</source>
        <translation>experiment.yaml 应以 name:、trial: 等键开头。</translation>
    </message>
    <message>
        <source>The key {key} stands twice, first in line {first_line}. Keep one of them.</source>
        <translation>键 {key} 出现了两次，第一次在第 {first_line} 行。请只保留一个。</translation>
    </message>
    <message>
        <source>{key} and {other_key} mean the same. Keep one of them.</source>
        <translation>{key} 与 {other_key} 含义相同。请只保留一个。</translation>
    </message>
    <message>
        <source>This looks like a template ({text}). Render it first, then open the result.</source>
        <translation>这看起来是模板（{text}）。请先渲染，再打开结果。</translation>
    </message>
    <message>
        <source>There is no key {key} here.</source>
        <translation>这里没有名为 {key} 的键。</translation>
    </message>
    <message>
        <source>{key} is missing.</source>
        <translation>缺少 {key}。</translation>
    </message>
    <message>
        <source>Wanted here: {expected}, not {found}.</source>
        <translation>此处应为{expected}，而不是{found}。</translation>
    </message>
    <message>
        <source>{value} is out of range. {reason}</source>
        <translation>{value} 超出范围。{reason}</translation>
    </message>
    <message>
        <source>&quot;{value}&quot; is not known here. Possible: {allowed}.</source>
        <translation>此处不认识“{value}”。可选：{allowed}。</translation>
    </message>
    <message>
        <source>{value} is not available yet. Available: {available}.</source>
        <translation>{value} 尚不可用。可用：{available}。</translation>
    </message>
    <message>
        <source>{key} has no effect here. {reason}</source>
        <translation>{key} 在此不起作用。{reason}</translation>
    </message>
    <message>
        <source>There is no parameter {placeholder}.</source>
        <translation>没有名为 {placeholder} 的超参数。</translation>
    </message>
    <message>
        <source>A &quot;{&quot; is not closed. Write &quot;{{&quot; for a brace itself.</source>
        <translation>有一个“{”没有闭合。要写花括号本身，请用“{{”。</translation>
    </message>
    <message>
        <source>The parameter {parameter} is not used in the command. Programs can still read it from params.json.</source>
        <translation>命令中没有用到超参数 {parameter}。程序仍可从 params.json 读取它。</translation>
    </message>
    <message>
        <source>A command is wanted: the program and its arguments.</source>
        <translation>需要填写命令：程序及其参数。</translation>
    </message>
    <message>
        <source>&quot;{name}&quot; cannot be a name here. {reason}</source>
        <translation>“{name}”不能用作此处的名称。{reason}</translation>
    </message>
    <message>
        <source>This is not a distribution: {text}. {reason}</source>
        <translation>这不是分布：{text}。{reason}</translation>
    </message>
    <message>
        <source>The first bound is larger than the second. Swap them.</source>
        <translation>下界大于上界。请交换两者。</translation>
    </message>
    <message>
        <source>A logarithmic range must begin above 0. Bounds are values, not exponents.</source>
        <translation>对数范围必须从大于 0 的值开始。界限是数值，不是指数。</translation>
    </message>
    <message>
        <source>Both bounds are {value}: this is a constant.</source>
        <translation>两个界限都是 {value}：相当于常量。</translation>
    </message>
    <message>
        <source>Bounds must be finite numbers.</source>
        <translation>界限必须是有限的数。</translation>
    </message>
    <message>
        <source>{expected} numbers are wanted here, not {found}.</source>
        <translation>此处需要 {expected} 个数，而不是 {found} 个。</translation>
    </message>
    <message>
        <source>{value} is not a whole number.</source>
        <translation>{value} 不是整数。</translation>
    </message>
    <message>
        <source>The bounds must be multiples of the step {step}.</source>
        <translation>界限必须是步长 {step} 的整数倍。</translation>
    </message>
    <message>
        <source>The step must be above 0.</source>
        <translation>步长必须大于 0。</translation>
    </message>
    <message>
        <source>The step is wider than the range.</source>
        <translation>步长大于整个范围。</translation>
    </message>
    <message>
        <source>{value} is too large for a whole number.</source>
        <translation>{value} 超出整数的范围。</translation>
    </message>
    <message>
        <source>There is no value in this range.</source>
        <translation>此范围内没有任何值。</translation>
    </message>
    <message>
        <source>The list of values is empty.</source>
        <translation>候选值列表为空。</translation>
    </message>
    <message>
        <source>{value} stands twice in the list.</source>
        <translation>{value} 在列表中出现了两次。</translation>
    </message>
    <message>
        <source>A grid needs values that can be counted: use grid_search or choice for every parameter.</source>
        <translation>网格搜索需要可数的取值：请为每个超参数使用 grid_search 或 choice。</translation>
    </message>
    <message>
        <source>The grid has {trials} trials. Set a cap with &quot;trials&quot;, or choose another search algorithm.</source>
        <translation>网格共有 {trials} 个 Trial。请用 trials 设置上限，或选择其他搜索算法。</translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is text; it is taken as a number.</source>
        <translation>“{text}”是文本，已按数值处理。</translation>
    </message>
    <message>
        <source>The upper end is not drawn, as in Ray: {values}.</source>
        <translation>与 Ray 一致，不会取到上界：{values}。</translation>
    </message>
    <message>
        <source>Values that are drawn: {values}.</source>
        <translation>会取到的值：{values}。</translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is text for some YAML readers. Write it with a point, as in 1.0e-5.</source>
        <translation>某些 YAML 读取器会把“{text}”当作文本。请带小数点书写，例如 1.0e-5。</translation>
    </message>
    <message>
        <source>{key} is wanted here.</source>
        <translation>此处需要 {key}。</translation>
    </message>
    <message>
        <source>The pattern &quot;{pattern}&quot; cannot be used. {reason}</source>
        <translation>模式“{pattern}”不能使用。{reason}</translation>
    </message>
    <message>
        <source>The metric is minimised, but this stops a trial when it rises to the value. Write a limit with &quot;le&quot;.</source>
        <translation>该指标需要最小化，但此条件会在它升到该值时停止 Trial。请改用 le 设置界限。</translation>
    </message>
    <message>
        <source>Results cannot be stored in {path}. {reason} Choose another storage folder.</source>
        <translation>结果不能存储在 {path}。{reason}请选择其他存储目录。</translation>
    </message>
    <message>
        <source>There is an experiment {name} already at {path}. Choose another name.</source>
        <translation>{path} 处已有名为 {name} 的实验。请换一个名称。</translation>
    </message>
    <message>
        <source>Nothing bounds the number of trials or their length.</source>
        <translation>没有任何条件限制 Trial 的数量或时长。</translation>
    </message>
    <message>
        <source>The parameter {parameter} hides the trial&apos;s own seed.</source>
        <translation>超参数 {parameter} 会遮盖 Trial 自身的种子。</translation>
    </message>
    <message>
        <source>A quote is not closed.</source>
        <translation>引号没有闭合。</translation>
    </message>
    <message>
        <source>The file has several documents. Keep one.</source>
        <translation>文件中有多个文档。请只保留一个。</translation>
    </message>
    <message>
        <source>Values that are drawn: {values}. Ray draws {ray_values}.</source>
        <translation>会取到的值：{values}。Ray 取到的是 {ray_values}。</translation>
    </message>
    <message>
        <source>There is no such experiment.</source>
        <translation>没有这个实验。</translation>
    </message>
    <message>
        <source>There is no trial {trial}.</source>
        <translation>没有 Trial {trial}。</translation>
    </message>
    <message>
        <source>This is not possible in the state {state}.</source>
        <translation>状态为 {state} 时无法执行此操作。</translation>
    </message>
    <message>
        <source>The folder {path} is not there. Bring it back, or mount its disk.</source>
        <translation>目录 {path} 不存在。请恢复它，或挂载其磁盘。</translation>
    </message>
    <message>
        <source>Another program works on this experiment: process {pid} on {host}, since {since}.</source>
        <translation>另一个程序正在使用此实验：{host} 上的进程 {pid}，自 {since} 起。</translation>
    </message>
    <message>
        <source>The experiment&apos;s journal is damaged. {reason}</source>
        <translation>实验的日志记录已损坏。{reason}</translation>
    </message>
    <message>
        <source>The experiment was written by a newer version of Trialdeck. Update this one.</source>
        <translation>此实验由更新版本的 Trialdeck 写入。请更新本程序。</translation>
    </message>
    <message>
        <source>There is no checkpoint to go on from.</source>
        <translation>没有可供继续的检查点。</translation>
    </message>
    <message>
        <source>The experiment&apos;s set-up cannot be read any more.</source>
        <translation>无法再读取此实验的配置。</translation>
    </message>
    <message>
        <source>Every configuration of the search space has been tried.</source>
        <translation>搜索空间中的所有参数组合都已试过。</translation>
    </message>
    <message>
        <source>A report was not valid JSON and was passed over.</source>
        <translation>有一次上报不是有效的 JSON，已忽略。</translation>
    </message>
    <message>
        <source>A report was not a map of metrics and was passed over.</source>
        <translation>有一次上报不是指标的映射，已忽略。</translation>
    </message>
    <message>
        <source>A report was longer than 1 MiB and was passed over.</source>
        <translation>有一次上报超过 1 MiB，已忽略。</translation>
    </message>
    <message>
        <source>A report was nested too deeply and was passed over.</source>
        <translation>有一次上报嵌套过深，已忽略。</translation>
    </message>
    <message>
        <source>A report was not UTF-8 and was passed over.</source>
        <translation>有一次上报不是 UTF-8 编码，已忽略。</translation>
    </message>
    <message>
        <source>A report wrote a number as {word}; it was taken as such.</source>
        <translation>有一次上报把数写作 {word}；已按此理解。</translation>
    </message>
    <message>
        <source>A report&apos;s training_iteration is {value}, which is no whole number.</source>
        <translation>有一次上报的 training_iteration 为 {value}，不是整数。</translation>
    </message>
    <message>
        <source>training_iteration {iteration} was reported again. The report is kept and not counted.</source>
        <translation>training_iteration {iteration} 被重复上报。该上报会保留但不计入。</translation>
    </message>
    <message>
        <source>The metric {metric} is not in the reports. They have: {found}.</source>
        <translation>上报中没有指标 {metric}。已有：{found}。</translation>
    </message>
    <message>
        <source>The metric is not a finite number.</source>
        <translation>该指标不是有限的数。</translation>
    </message>
    <message>
        <source>A report of an older attempt came late. It is kept and not counted.</source>
        <translation>较早一次尝试的上报迟到了。它会保留但不计入。</translation>
    </message>
    <message>
        <source>The checkpoint {name} that was reported is not there.</source>
        <translation>上报的检查点 {name} 不存在。</translation>
    </message>
    <message>
        <source>&quot;{name}&quot; cannot be a checkpoint: it must be a folder in TRIALDECK_CHECKPOINT_DIR.</source>
        <translation>“{name}”不能作为检查点：它必须是 TRIALDECK_CHECKPOINT_DIR 中的目录。</translation>
    </message>
    <message>
        <source>The checkpoint {name} could not be read: {reason}.</source>
        <translation>无法读取检查点 {name}：{reason}。</translation>
    </message>
    <message>
        <source>The program ended without a report.</source>
        <translation>程序结束时没有任何上报。</translation>
    </message>
    <message>
        <source>No output yet; the program may be holding it back. Try stdbuf -oL, -u or flush, or report.terminal: true.</source>
        <translation>还没有输出；程序可能缓冲了输出。可尝试 stdbuf -oL、-u 或 flush，或设置 report.terminal: true。</translation>
    </message>
    <message>
        <source>The program ended with exit code {exit_code}.</source>
        <translation>程序已结束，退出码为 {exit_code}。</translation>
    </message>
    <message>
        <source>The program was ended by signal {signal}.</source>
        <translation>程序被信号 {signal} 终止。</translation>
    </message>
    <message>
        <source>The program ran out of memory. Run fewer trials at a time, or ask for more memory a worker.</source>
        <translation>程序内存不足。请减少同时运行的 Trial，或为每个 Worker 请求更多内存。</translation>
    </message>
    <message>
        <source>The worker was lost: nobody saw its end.</source>
        <translation>Worker 丢失：没有记录到它如何结束。</translation>
    </message>
    <message>
        <source>The program was killed by signal {signal}; why is not known. Lack of memory is likely when nobody killed it.</source>
        <translation>程序被信号 {signal} 终止，原因不明。若无人手动终止，很可能是内存不足。</translation>
    </message>
    <message>
        <source>The head was shut down. Trials that were running go on unless they were stopped with it.</source>
        <translation>头节点（head）已被关闭。正在运行的 Trial 会继续，除非它们也随之停止。</translation>
    </message>
    <message>
        <source>The list of connections in {path} is damaged and was set aside as {kept_at}. The list begins anew.</source>
        <translation>{path} 中的连接列表已损坏，已另存为 {kept_at}，列表重新开始。</translation>
    </message>
    <message>
        <source>A trial asks for more than the node has. It starts alone.</source>
        <translation>一个 Trial 请求的资源超过节点所有。它会单独启动。</translation>
    </message>
    <message>
        <source>The trial asks for more than the node has, so it runs alone.</source>
        <translation>该 Trial 请求的资源超过节点所有，因此单独运行。</translation>
    </message>
    <message>
        <source>The host key of {host} has changed: it shows {key_type} {fingerprint}; on file is {known}. It may be another machine, or someone in between. If the change is expected, remove line {line} of {path} and connect again.</source>
        <translation>{host} 的主机密钥已改变：现在是 {key_type} {fingerprint}，记录中是 {known}。它可能是另一台机器，或者有人在中间拦截。如果确知已更换，请删除 {path} 的第 {line} 行后重新连接。</translation>
    </message>
    <message>
        <source>TensorBoard is not installed on {host}. Install it there with &quot;pip install tensorboard&quot;.</source>
        <translation>{host} 上没有安装 TensorBoard。请在那里运行“pip install tensorboard”。</translation>
    </message>
    <message>
        <source>Jupyter is not installed on {host}. Install it there with &quot;pip install jupyterlab&quot;.</source>
        <translation>{host} 上没有安装 Jupyter。请在那里运行“pip install jupyterlab”。</translation>
    </message>
    <message>
        <source>{checkpoint} is damaged: {path} is not as it was written. The checkpoint before it is taken.</source>
        <translation>{checkpoint} 已损坏：{path} 与写入时不同。改用它前面的检查点。</translation>
    </message>
    <message>
        <source>The program ended {times} times before its first report after it went on from {checkpoint}. The checkpoint before it is taken.</source>
        <translation>程序从 {checkpoint} 继续后，有 {times} 次在首次上报前就结束了。改用它前面的检查点。</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>Its last record is incomplete: the head may have died while writing it.</source>
        <extracomment>About the files in which an experiment is recorded</extracomment>
        <translation>最后一条记录不完整：头节点可能在写入时意外退出。</translation>
    </message>
    <message>
        <source>One of its files goes on behind its end; what stands there does not count.</source>
        <translation>其中一个文件在结尾之后还有内容，这些内容不计入。</translation>
    </message>
    <message>
        <source>A line of it is no record.</source>
        <translation>其中有一行不是有效记录。</translation>
    </message>
    <message>
        <source>One of its files was changed after it had been completed.</source>
        <translation>其中一个文件在写完之后被改动过。</translation>
    </message>
    <message>
        <source>One of its files is shorter than it was.</source>
        <translation>其中一个文件比原来短。</translation>
    </message>
    <message>
        <source>One of its files is missing. Bring it back from a copy.</source>
        <translation>缺少其中一个文件，请从备份中找回。</translation>
    </message>
    <message>
        <source>The first line of one of its files cannot be read.</source>
        <translation>其中一个文件的首行无法读取。</translation>
    </message>
    <message>
        <source>One of its files does not belong to the others.</source>
        <translation>其中一个文件与其他文件不连续。</translation>
    </message>
    <message>
        <source>None of its files can be read. Bring the experiment&apos;s folder back from a copy.</source>
        <translation>所有文件都无法读取，请从备份中找回实验目录。</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <extracomment>About a name</extracomment>
        <translation>内容为空。</translation>
    </message>
    <message>
        <source>It is too long.</source>
        <translation>太长。</translation>
    </message>
    <message>
        <source>It begins with a point.</source>
        <translation>不能以点开头。</translation>
    </message>
    <message>
        <source>It begins or ends with a space.</source>
        <translation>开头或结尾有空格。</translation>
    </message>
    <message>
        <source>It contains a slash.</source>
        <translation>含有斜杠。</translation>
    </message>
    <message>
        <source>It contains braces.</source>
        <translation>含有花括号。</translation>
    </message>
    <message>
        <source>It contains a control character.</source>
        <translation>含有控制字符。</translation>
    </message>
    <message>
        <source>A variable&apos;s name has at least one character and no equals sign.</source>
        <translation>环境变量名不能为空，也不能含有等号。</translation>
    </message>
    <message>
        <source>The parser says: {parser}.</source>
        <translation>解析器提示：{parser}。</translation>
    </message>
    <message>
        <source>Tags such as {tag} mean nothing here.</source>
        <translation>{tag} 这样的标签在此没有意义。</translation>
    </message>
    <message>
        <source>An alias stands inside its own anchor.</source>
        <translation>别名出现在它自己的锚点之内。</translation>
    </message>
    <message>
        <source>The alias refers to an anchor that is not there.</source>
        <translation>别名引用的锚点不存在。</translation>
    </message>
    <message>
        <source>A key must be text.</source>
        <translation>键必须是文本。</translation>
    </message>
    <message>
        <source>Behind &lt;&lt; a map or a list of maps is wanted.</source>
        <translation>&lt;&lt; 之后应为映射或映射的列表。</translation>
    </message>
    <message>
        <source>Write text with braces in quotes.</source>
        <translation>带花括号的文本请加引号。</translation>
    </message>
    <message>
        <source>The line is indented with a tab. Use spaces.</source>
        <translation>该行用制表符缩进，请改用空格。</translation>
    </message>
    <message>
        <source>The map that begins further up does not go on like this. Check indentation, commas and braces.</source>
        <translation>上文开始的映射在此中断。请检查缩进、逗号和花括号。</translation>
    </message>
    <message>
        <source>The list that begins further up does not go on like this. Check indentation, commas and brackets.</source>
        <translation>上文开始的列表在此中断。请检查缩进、逗号和方括号。</translation>
    </message>
    <message>
        <source>No key, value or list item can stand here. Check the indentation.</source>
        <translation>此处不能出现键、值或列表项。请检查缩进。</translation>
    </message>
    <message>
        <source>It contains a zero byte.</source>
        <translation>含有零字节。</translation>
    </message>
    <message>
        <source>The search space does not contain it.</source>
        <translation>它不在搜索空间内。</translation>
    </message>
    <message>
        <source>Distributions are written as a map here, not as a call.</source>
        <translation>分布在此写成映射，而不是函数调用。</translation>
    </message>
    <message>
        <source>There is no distribution of this name.</source>
        <extracomment>About the name of a distribution</extracomment>
        <translation>没有这个名称的分布。</translation>
    </message>
    <message>
        <source>No metric is named.</source>
        <translation>没有指定指标。</translation>
    </message>
    <message>
        <source>The scheduler fifo does not use it.</source>
        <translation>fifo 调度器用不到它。</translation>
    </message>
    <message>
        <source>It has no named group such as (?&lt;loss&gt;…).</source>
        <translation>其中没有 (?&lt;loss&gt;…) 这样的命名组。</translation>
    </message>
    <message>
        <source>Two groups have the same name.</source>
        <translation>有两个组同名。</translation>
    </message>
    <message>
        <source>{folder} is not a folder.</source>
        <translation>{folder} 不是目录。</translation>
    </message>
    <message>
        <source>Nothing may be written in {folder}.</source>
        <translation>没有写入 {folder} 的权限。</translation>
    </message>
    <message>
        <source>The disk of {folder} is read-only.</source>
        <translation>{folder} 所在的磁盘是只读的。</translation>
    </message>
    <message>
        <source>There is no space left on the disk of {folder}.</source>
        <translation>{folder} 所在的磁盘已满。</translation>
    </message>
    <message>
        <source>nothing</source>
        <extracomment>A kind of value, as in &quot;Wanted here: a list, not text.&quot;</extracomment>
        <translation>空值</translation>
    </message>
    <message>
        <source>true or false</source>
        <extracomment>A kind of value, as in &quot;Wanted here: a list, not text.&quot;</extracomment>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a whole number</source>
        <extracomment>A kind of value, as in &quot;Wanted here: a list, not text.&quot;</extracomment>
        <translation>整数</translation>
    </message>
    <message>
        <source>a number</source>
        <extracomment>A kind of value, as in &quot;Wanted here: a list, not text.&quot;</extracomment>
        <translation>数字</translation>
    </message>
    <message>
        <source>a size such as 1GiB</source>
        <extracomment>A kind of value, as in &quot;Wanted here: a list, not text.&quot;</extracomment>
        <translation>1GiB 这样的大小</translation>
    </message>
    <message>
        <source>text</source>
        <extracomment>A kind of value, as in &quot;Wanted here: a list, not text.&quot;</extracomment>
        <translation>文本</translation>
    </message>
    <message>
        <source>bytes</source>
        <extracomment>A kind of value, as in &quot;Wanted here: a list, not text.&quot;</extracomment>
        <translation>字节</translation>
    </message>
    <message>
        <source>a list</source>
        <extracomment>A kind of value, as in &quot;Wanted here: a list, not text.&quot;</extracomment>
        <translation>列表</translation>
    </message>
    <message>
        <source>a map</source>
        <extracomment>A kind of value, as in &quot;Wanted here: a list, not text.&quot;</extracomment>
        <translation>映射</translation>
    </message>
    <message>
        <source>It must be between {min} and {max}.</source>
        <translation>应在 {min} 与 {max} 之间。</translation>
    </message>
    <message>
        <source>It must be at least {min}.</source>
        <translation>至少应为 {min}。</translation>
    </message>
    <message>
        <source>It must be at most {max}.</source>
        <translation>最多应为 {max}。</translation>
    </message>
    <message>
        <source>It must be above {above}.</source>
        <translation>应大于 {above}。</translation>
    </message>
</context>
<context>
    <name>HoverBox</name>
    <message>
        <source>Trial %1</source>
        <extracomment>Name of a trial in a chart; %1 is its number</extracomment>
        <translation>Trial %1</translation>
    </message>
</context>
<context>
    <name>Questions</name>
    <message>
        <source>Stop trial %1?</source>
        <extracomment>Title of a question</extracomment>
        <translation>停止 Trial %1？</translation>
    </message>
    <message>
        <source>Stop trial</source>
        <extracomment>Button</extracomment>
        <translation>停止 Trial</translation>
    </message>
    <message>
        <source>It is not running; it will not be started any more.</source>
        <translation>它没有在运行，之后也不会再启动。</translation>
    </message>
    <message>
        <source>It has run for %1 and would lose %2 of work since its last checkpoint.</source>
        <translation>它已运行 %1，将丢失上一个检查点之后 %2的工作。</translation>
    </message>
    <message>
        <source>Stop &quot;%1&quot;?</source>
        <extracomment>Title of a question; %1 is the experiment&apos;s name</extracomment>
        <translation>停止“%1”？</translation>
    </message>
    <message>
        <source>Stop experiment</source>
        <extracomment>Button</extracomment>
        <translation>停止实验</translation>
    </message>
    <message>
        <source>No trial is running; those that wait will not be started any more.</source>
        <translation>没有 Trial 在运行；等待中的 Trial 不会再启动。</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) running for up to %1 would lose %2 of work since their last checkpoints; those that wait will not be started any more.</source>
        <translation>
            <numerusform>%n 个已运行至多 %1 的 Trial 将丢失各自上一个检查点之后共 %2的工作；等待中的 Trial 不会再启动。</numerusform>
        </translation>
    </message>
    <message>
        <source>Pause without a checkpoint?</source>
        <extracomment>Title of a question</extracomment>
        <translation>没有检查点，仍要暂停？</translation>
    </message>
    <message numerus="yes">
        <source>%n running trial(s) have written no checkpoint yet. Paused now, they would begin anew and lose %1 of work; else they pause after their first checkpoint.</source>
        <translation>
            <numerusform>%n 个运行中的 Trial 还没有写过检查点。现在暂停，它们将从头开始并丢失 %1的工作；否则会在第一个检查点之后暂停。</numerusform>
        </translation>
    </message>
    <message>
        <source>Pause after the next checkpoint</source>
        <extracomment>Button: pause each trial once it has written a checkpoint</extracomment>
        <translation>在下一个检查点后暂停</translation>
    </message>
    <message>
        <source>Pause now</source>
        <extracomment>Button: pause at once although work is lost</extracomment>
        <translation>立即暂停</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>not reachable</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>unknown for %1</source>
        <extracomment>The connection is lost, nothing is known since so long; %1 is a time span such as &quot;12 s&quot;</extracomment>
        <translation>未知 %1</translation>
    </message>
    <message>
        <source>%1 CPU</source>
        <translation>%1 CPU</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <extracomment>%1 is the experiment&apos;s name, %2 a sentence that says why it cannot be opened</extracomment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: its folder %2 is not there</source>
        <extracomment>%1 is the experiment&apos;s name, %2 its folder</extracomment>
        <translation>%1：目录 %2 不存在</translation>
    </message>
    <message>
        <source>%1: %2, %3 of %4 trials ended, %5 with an error</source>
        <extracomment>%1 is the experiment&apos;s name, %2 its state, %3 and %4 numbers of trials</extracomment>
        <translation>%1：%2，%4 个 Trial 中 %3 个已结束，%5 个出错</translation>
    </message>
    <message>
        <source>shut down</source>
        <extracomment>The head was shut down by somebody</extracomment>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>asks you</source>
        <extracomment>A connection waits for an answer of the user, such as a password</extracomment>
        <translation>等待回答</translation>
    </message>
    <message>
        <source>disconnected</source>
        <extracomment>The user ended the connection</extracomment>
        <translation>已断开</translation>
    </message>
</context>
<context>
    <name>SshClients</name>
    <message>
        <source>as the connection says</source>
        <translation>按连接的设置</translation>
    </message>
    <message>
        <source>the settings of %1 have a ProxyCommand</source>
        <translation>%1 的配置中有 ProxyCommand</translation>
    </message>
    <message>
        <source>the settings of %1 depend on a program (Match exec)</source>
        <translation>%1 的配置取决于一个程序（Match exec）</translation>
    </message>
    <message>
        <source>the settings of %1 have a condition that only this client knows</source>
        <translation>%1 的配置中有只有这个客户端认识的条件</translation>
    </message>
    <message>
        <source>the settings of %1 ask for GSSAPI</source>
        <translation>%1 的配置要求使用 GSSAPI</translation>
    </message>
    <message>
        <source>the settings of %1 ask for host-based logins</source>
        <translation>%1 的配置要求基于主机的登录</translation>
    </message>
    <message>
        <source>libssh2 cannot log in with a certificate (%1)</source>
        <translation>libssh2 不能用证书登录（%1）</translation>
    </message>
    <message>
        <source>the keys for %1 are in a PKCS#11 device</source>
        <translation>%1 的密钥在 PKCS#11 设备中</translation>
    </message>
    <message>
        <source>the settings of %1 have a KnownHostsCommand</source>
        <translation>%1 的配置中有 KnownHostsCommand</translation>
    </message>
    <message>
        <source>the settings of %1 name revoked host keys</source>
        <translation>%1 的配置指定了已吊销的主机密钥</translation>
    </message>
    <message>
        <source>the settings of %1 ask for canonical host names</source>
        <translation>%1 的配置要求规范化主机名</translation>
    </message>
    <message>
        <source>the settings of %1 bind connections to an address</source>
        <translation>%1 的配置把连接绑定到某个地址</translation>
    </message>
    <message>
        <source>the settings of %1 limit the algorithms of keys</source>
        <translation>%1 的配置限制了密钥的算法</translation>
    </message>
    <message>
        <source>the settings of %1 allow no algorithm that libssh2 knows</source>
        <translation>%1 的配置允许的算法 libssh2 都不支持</translation>
    </message>
    <message>
        <source>the settings of %1 allow no way to log in that libssh2 knows</source>
        <translation>%1 的配置允许的登录方式 libssh2 都不支持</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>无法读取 %1</translation>
    </message>
    <message>
        <source>the way to %1 leads over itself</source>
        <translation>到 %1 的跳转经过了它自己</translation>
    </message>
    <message>
        <source>the key %1 is in a security device</source>
        <translation>密钥 %1 在安全设备中</translation>
    </message>
    <message>
        <source>%1 is an RSA key, which this libssh2 can only use with SHA-1</source>
        <translation>%1 是 RSA 密钥，当前的 libssh2 只能用 SHA-1 签名</translation>
    </message>
    <message>
        <source>libssh2 cannot decrypt the key %1</source>
        <translation>libssh2 无法解密密钥 %1</translation>
    </message>
    <message>
        <source>libssh2 does not know the type of the key %1</source>
        <translation>libssh2 不认识密钥 %1 的类型</translation>
    </message>
    <message>
        <source>the key file %1 is damaged, open to others or in another program&apos;s format</source>
        <translation>密钥文件 %1 已损坏、其他用户可以读写，或是其他程序的格式</translation>
    </message>
    <message>
        <source>the SSH agent does not answer</source>
        <translation>SSH 代理没有应答</translation>
    </message>
    <message>
        <source>libssh2 cannot check the certificate of %1</source>
        <translation>libssh2 无法检查 %1 的证书</translation>
    </message>
    <message>
        <source>the known host key of %1 is of a type that libssh2 cannot check</source>
        <translation>已记录的 %1 的主机密钥类型 libssh2 无法检查</translation>
    </message>
    <message>
        <source>%1 and libssh2 have no algorithm in common</source>
        <translation>%1 与 libssh2 没有共同的算法</translation>
    </message>
    <message>
        <source>ssh of this computer</source>
        <extracomment>Which SSH client is used: the program ssh of this computer</extracomment>
        <translation>本机的 ssh</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <extracomment>%1 is an SSH client, %2 why it is used</extracomment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>States</name>
    <message>
        <source>Pending</source>
        <extracomment>State of a trial (PENDING)</extracomment>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <extracomment>State of a trial or an experiment (RUNNING)</extracomment>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Paused</source>
        <extracomment>State of a trial or an experiment (PAUSED)</extracomment>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Terminated</source>
        <extracomment>State of a trial that ended without an error (TERMINATED)</extracomment>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Error</source>
        <extracomment>State of a trial (ERROR)</extracomment>
        <translation>出错</translation>
    </message>
    <message>
        <source>Completed</source>
        <extracomment>State of an experiment whose trials all ended well</extracomment>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <extracomment>State of an experiment that ended with an error in one of its trials</extracomment>
        <translation>失败</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <extracomment>State of an experiment that ended with trials unfinished</extracomment>
        <translation>已中断</translation>
    </message>
    <message>
        <source>queued</source>
        <extracomment>Why a trial is pending</extracomment>
        <translation>排队中</translation>
    </message>
    <message>
        <source>waits for free resources</source>
        <extracomment>Why a trial is pending</extracomment>
        <translation>等待空闲资源</translation>
    </message>
    <message>
        <source>paused by you</source>
        <extracomment>Why a trial is paused</extracomment>
        <translation>由您暂停</translation>
    </message>
    <message>
        <source>paused by the scheduler</source>
        <extracomment>Why a trial is paused</extracomment>
        <translation>由 Trial 调度器暂停</translation>
    </message>
    <message>
        <source>the disk is full</source>
        <extracomment>Why a trial or an experiment is paused</extracomment>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>interrupted</source>
        <extracomment>Why a trial is pending or paused</extracomment>
        <translation>被中断</translation>
    </message>
    <message>
        <source>ran to its end</source>
        <extracomment>Why a trial ended</extracomment>
        <translation>运行到结束</translation>
    </message>
    <message>
        <source>stop rule reached</source>
        <extracomment>Why a trial ended</extracomment>
        <translation>达到停止条件</translation>
    </message>
    <message>
        <source>stopped early by the scheduler</source>
        <extracomment>Why a trial ended</extracomment>
        <translation>由 Trial 调度器早停</translation>
    </message>
    <message>
        <source>stopped by you</source>
        <extracomment>Why a trial ended</extracomment>
        <translation>由您停止</translation>
    </message>
    <message>
        <source>exited with an error code</source>
        <extracomment>Why a trial failed</extracomment>
        <translation>以错误码退出</translation>
    </message>
    <message>
        <source>killed by a signal</source>
        <extracomment>Why a trial failed</extracomment>
        <translation>被信号终止</translation>
    </message>
    <message>
        <source>out of memory</source>
        <extracomment>Why a trial failed</extracomment>
        <translation>内存耗尽</translation>
    </message>
    <message>
        <source>worker lost</source>
        <extracomment>Why a trial failed</extracomment>
        <translation>Worker 丢失</translation>
    </message>
    <message>
        <source>no report for too long</source>
        <extracomment>Why a trial failed</extracomment>
        <translation>过久没有上报</translation>
    </message>
    <message>
        <source>its reports lack the metric</source>
        <extracomment>Why a trial failed</extracomment>
        <translation>上报中缺少该指标</translation>
    </message>
    <message>
        <source>the metric became NaN</source>
        <extracomment>Why a trial failed</extracomment>
        <translation>指标变为 NaN</translation>
    </message>
    <message>
        <source>could not be started</source>
        <extracomment>Why a trial failed</extracomment>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>by you</source>
        <extracomment>Why an experiment is paused or interrupted</extracomment>
        <translation>由您操作</translation>
    </message>
    <message>
        <source>the head ended unexpectedly</source>
        <extracomment>Why an experiment is interrupted</extracomment>
        <translation>头节点意外退出</translation>
    </message>
    <message>
        <source>tried again after a failure</source>
        <extracomment>Why a trial is pending: its attempt failed</extracomment>
        <translation>失败后重试</translation>
    </message>
    <message>
        <source>goes on after its machine was lost</source>
        <extracomment>Why a trial is pending: its attempt was lost with its machine</extracomment>
        <translation>所在机器丢失后继续</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <extracomment>Why a trial is pending; %1 is an amount such as &quot;1 GPU&quot;</extracomment>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>waits for %1 to go on from %2</source>
        <extracomment>Why a trial is pending; %1 is an amount such as &quot;1 GPU&quot;, %2 a checkpoint&apos;s name</extracomment>
        <translation>等待 %1，以便从 %2 继续</translation>
    </message>
    <message>
        <source>goes on from %1 after a failure</source>
        <extracomment>Why a trial is pending; %1 is a checkpoint&apos;s name</extracomment>
        <translation>失败后从 %1 继续</translation>
    </message>
    <message>
        <source>goes on from %1 after its machine was lost</source>
        <extracomment>Why a trial is pending; %1 is a checkpoint&apos;s name</extracomment>
        <translation>所在机器丢失后从 %1 继续</translation>
    </message>
    <message>
        <source>stopped because a trial failed</source>
        <extracomment>Why an experiment ends or has failed: fail_fast stops it with its first failed trial</extracomment>
        <translation>因一个 Trial 失败而停止</translation>
    </message>
</context>
<context>
    <name>Table</name>
    <message>
        <source>Trial</source>
        <extracomment>Column of the trial table: the trial&apos;s number</extracomment>
        <translation>Trial</translation>
    </message>
    <message>
        <source>State</source>
        <extracomment>Column of the trial table</extracomment>
        <translation>状态</translation>
    </message>
    <message>
        <source>iteration</source>
        <extracomment>Column of the trial table: training_iteration</extracomment>
        <translation>训练迭代</translation>
    </message>
    <message>
        <source>time</source>
        <extracomment>Column of the trial table: how long the trial has run</extracomment>
        <translation>用时</translation>
    </message>
    <message>
        <source>node</source>
        <extracomment>Column of the trial table: the machine that the trial runs on</extracomment>
        <translation>节点</translation>
    </message>
    <message>
        <source>curve</source>
        <extracomment>Column of the trial table with a small curve of a metric</extracomment>
        <translation>曲线</translation>
    </message>
    <message>
        <source>diverged: its newest value is %1</source>
        <extracomment>About a trial whose metric has run off; %1 is NaN or Infinity</extracomment>
        <translation>已发散：最新值为 %1</translation>
    </message>
</context>
<context>
    <name>Templates</name>
    <message>
        <source>Fashion-MNIST with trialdeck-train</source>
        <translation>Fashion-MNIST（trialdeck-train）</translation>
    </message>
    <message>
        <source>Python script without any library</source>
        <translation>不依赖任何库的 Python 脚本</translation>
    </message>
    <message>
        <source>Shell script, metrics read off its lines</source>
        <translation>Shell 脚本，从输出行读取指标</translation>
    </message>
</context>
<context>
    <name>Times</name>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <extracomment>%1 is a time span such as &quot;4 m&quot;</extracomment>
        <translation>%1前</translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <source>Experiment</source>
        <extracomment>Menu entry below &quot;New&quot;: opens the form</extracomment>
        <translation>实验</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Open YAML…</source>
        <translation>打开 YAML…</translation>
    </message>
    <message>
        <source>Pause</source>
        <extracomment>Toolbar button: pause the experiment</extracomment>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pause the experiment</source>
        <translation>暂停实验</translation>
    </message>
    <message>
        <source>Start nothing new; running trials end after their next checkpoint</source>
        <translation>不再启动新的 Trial；运行中的 Trial 在下一个检查点之后结束</translation>
    </message>
    <message>
        <source>Resume</source>
        <extracomment>Toolbar button: go on after a pause</extracomment>
        <translation>继续</translation>
    </message>
    <message>
        <source>Resume the experiment</source>
        <translation>继续实验</translation>
    </message>
    <message>
        <source>Go on from the newest checkpoints</source>
        <translation>从最新的检查点继续</translation>
    </message>
    <message>
        <source>Stop</source>
        <extracomment>Toolbar button: stop the experiment</extracomment>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the experiment</source>
        <translation>停止实验</translation>
    </message>
    <message>
        <source>End the running trials and start no more</source>
        <translation>结束运行中的 Trial，不再启动新的</translation>
    </message>
    <message>
        <source>Show overview</source>
        <translation>显示概览</translation>
    </message>
    <message>
        <source>Show trials</source>
        <translation>显示 Trial</translation>
    </message>
    <message>
        <source>Show logs</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <source>Show files</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>Show set-up</source>
        <translation>显示配置</translation>
    </message>
    <message>
        <source>Filter trials or search the log</source>
        <translation>筛选 Trial 或搜索日志</translation>
    </message>
    <message>
        <source>Copy as trialdeckctl command</source>
        <translation>复制为 trialdeckctl 命令</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>Switch between Chinese and English</source>
        <translation>切换中文与英文</translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation>切换浅色与深色</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>About Trialdeck</source>
        <translation>关于 Trialdeck</translation>
    </message>
    <message>
        <source>Connect a host…</source>
        <translation>连接主机…</translation>
    </message>
    <message>
        <source>Test again</source>
        <extracomment>Walks the way to a host once more</extracomment>
        <translation>重新测试</translation>
    </message>
    <message>
        <source>Test the connection again</source>
        <translation>重新测试连接</translation>
    </message>
    <message>
        <source>Edit…</source>
        <extracomment>Of a connection</extracomment>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Edit the connection…</source>
        <translation>编辑连接…</translation>
    </message>
    <message>
        <source>Duplicate…</source>
        <extracomment>Of a connection</extracomment>
        <translation>复制为新连接…</translation>
    </message>
    <message>
        <source>Duplicate the connection…</source>
        <translation>将连接复制为新连接…</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <extracomment>Everything about a connection that does not work, for a report</extracomment>
        <translation>复制诊断信息</translation>
    </message>
    <message>
        <source>Steps, times and errors of the connection; no secrets</source>
        <translation>连接的各步骤、耗时与错误；不含密码等机密</translation>
    </message>
    <message>
        <source>Forget remembered secrets</source>
        <extracomment>Removes the passwords and passphrases of a connection from the desktop&apos;s keychain</extracomment>
        <translation>忘记已保存的密码</translation>
    </message>
    <message>
        <source>Remove…</source>
        <extracomment>Of a connection</extracomment>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Remove the connection…</source>
        <translation>移除连接…</translation>
    </message>
    <message>
        <source>Connect</source>
        <extracomment>Makes a connection again that the user had ended</extracomment>
        <translation>连接</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <extracomment>Ends a connection</extracomment>
        <translation>断开连接</translation>
    </message>
    <message>
        <source>Trials go on; nothing is tried again before you connect</source>
        <translation>Trial 会继续运行；在你重新连接之前不会自动重试</translation>
    </message>
    <message>
        <source>Open in TensorBoard</source>
        <translation>在 TensorBoard 中打开</translation>
    </message>
    <message>
        <source>Starts TensorBoard where the experiment runs and opens it in the browser</source>
        <translation>在实验所在的主机上启动 TensorBoard，并在浏览器中打开</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::ConnectionBook</name>
    <message>
        <source>Remove &quot;%1&quot;?</source>
        <extracomment>Title of a question; %1 is a connection</extracomment>
        <translation>移除“%1”？</translation>
    </message>
    <message>
        <source>Only this list forgets it. Nothing on the host is deleted, and trials there go on; connect again to see them.</source>
        <translation>只从列表中移除。主机上的内容不会删除，Trial 继续运行；重新连接即可查看。</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <extracomment>Button: removes a connection from the list</extracomment>
        <translation>从列表中移除</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::ConnectionPresenter</name>
    <message>
        <source>Waits for your answer</source>
        <translation>等待你的回答</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Unknown since %1</source>
        <extracomment>%1 is a time of day</extracomment>
        <translation>%1 起未知</translation>
    </message>
    <message>
        <source>Shut down, unknown since %1</source>
        <extracomment>%1 is a time of day</extracomment>
        <translation>已关停，%1 起未知</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>%1, trying again…</source>
        <extracomment>%1 is how a connection stands, such as &quot;Not connected&quot;</extracomment>
        <translation>%1，正在重试…</translation>
    </message>
    <message>
        <source>%1, next try in %2</source>
        <extracomment>%1 is how a connection stands, %2 a time span such as &quot;8 s&quot;</extracomment>
        <translation>%1，%2后重试</translation>
    </message>
    <message>
        <source>As it was at %1. Trials go on meanwhile.</source>
        <extracomment>%1 is a time of day</extracomment>
        <translation>以下为 %1 时的情况，Trial 仍在继续运行。</translation>
    </message>
    <message>
        <source>%1 via %2</source>
        <extracomment>%1 is a host, %2 the host that the way goes through</extracomment>
        <translation>%1（经由 %2）</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <extracomment>Progress of an upload: %1 and %2 are sizes such as &quot;3.1 MiB&quot;</extracomment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Version</source>
        <extracomment>What a head says of itself</extracomment>
        <translation>版本</translation>
    </message>
    <message>
        <source>Build</source>
        <extracomment>Which build of the head it is</extracomment>
        <translation>构建</translation>
    </message>
    <message>
        <source>Host</source>
        <extracomment>The name of the machine that the head runs on</extracomment>
        <translation>主机</translation>
    </message>
    <message>
        <source>Home</source>
        <extracomment>The folder in which the head keeps its own files</extracomment>
        <translation>主目录</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Disconnected</source>
        <translation>已断开连接</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::ExperimentPresenter</name>
    <message numerus="yes">
        <source>%1 of %n trial(s)</source>
        <extracomment>Progress of an experiment, such as &quot;5 of 8 trials&quot;</extracomment>
        <translation>
            <numerusform>%1 / %n 个 Trial</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) ended</source>
        <extracomment>Progress of an experiment whose number of trials is open</extracomment>
        <translation>
            <numerusform>%n 个 Trial 已结束</numerusform>
        </translation>
    </message>
    <message>
        <source>best %1 &lt;b&gt;%2&lt;/b&gt; (trial %3)</source>
        <extracomment>%1 is a metric such as accuracy, %2 its value, %3 the trial&apos;s number</extracomment>
        <translation>最优 %1 &lt;b&gt;%2&lt;/b&gt;（Trial %3）</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <extracomment>%1 is a time span such as &quot;4 m&quot;</extracomment>
        <translation>剩余约 %1</translation>
    </message>
    <message>
        <source>unknown since %1</source>
        <extracomment>%1 is a time of day</extracomment>
        <translation>自 %1 起未知</translation>
    </message>
    <message>
        <source>The head is sending what happened so far.</source>
        <translation>头节点正在发送此前的记录。</translation>
    </message>
    <message>
        <source>%1 was moved, deleted, or is on a disk that is not mounted. It appears again as soon as the folder is back.</source>
        <extracomment>%1 is a folder</extracomment>
        <translation>%1 被移动、被删除，或所在磁盘没有挂载。目录恢复后会重新出现。</translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <extracomment>How many trials ended with an error</extracomment>
        <translation>
            <numerusform>%n 个出错</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is not connected. The experiment is shown as soon as it is.</source>
        <extracomment>%1 is a connection such as &quot;This computer&quot;</extracomment>
        <translation>%1 未连接。连接后即显示该实验。</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::HostWorkPresenter</name>
    <message numerus="yes">
        <source>Would copy %n file(s) (%1)</source>
        <extracomment>Outcome of a sync; %1 is a size such as &quot;3.1 MiB&quot;</extracomment>
        <translation>
            <numerusform>将复制 %n 个文件（%1）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %n file(s) (%1)</source>
        <translation>
            <numerusform>已复制 %n 个文件（%1）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unchanged</source>
        <extracomment>Part of a sync&apos;s outcome: so many files were alike already</extracomment>
        <translation>
            <numerusform>%n 个未变</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to be removed</source>
        <extracomment>Part of a sync&apos;s outcome: so many files would be, or were, removed</extracomment>
        <translation>
            <numerusform>将删除 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>已删除 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <extracomment>Part of a sync&apos;s outcome: so many files could not be copied</extracomment>
        <translation>
            <numerusform>%n 个失败</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <extracomment>Joins the parts of a sync&apos;s outcome</extracomment>
        <translation>，</translation>
    </message>
    <message>
        <source>Which folder on this computer?</source>
        <translation>请填写本机目录。</translation>
    </message>
    <message>
        <source>Write the folder on this computer from / or ~ on.</source>
        <translation>本机目录请写成以 / 或 ~ 开头的完整路径。</translation>
    </message>
    <message>
        <source>Which folder on the host?</source>
        <translation>请填写主机上的目录。</translation>
    </message>
    <message>
        <source>opening…</source>
        <extracomment>A port is about to be forwarded, a program on the host to be started</extracomment>
        <translation>正在打开…</translation>
    </message>
    <message numerus="yes">
        <source>%n connection(s) · %1</source>
        <extracomment>Of a forwarded port; %1 is a size such as &quot;3.1 MiB&quot;</extracomment>
        <translation>
            <numerusform>%n 个连接 · %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Running…</source>
        <extracomment>A command on the host</extracomment>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>Exit code %1</source>
        <extracomment>Of a command that has ended</extracomment>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <extracomment>Two folders of a sync: %1 is copied to %2</extracomment>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Copying… %1 of %2 files, %3</source>
        <extracomment>Progress of a sync; %1 of %2 files, %3 is a size such as &quot;3.1 MiB&quot;</extracomment>
        <translation>正在复制…第 %1 个，共 %2 个文件，%3</translation>
    </message>
    <message>
        <source>Comparing the folders…</source>
        <extracomment>A sync finds out what differs</extracomment>
        <translation>正在比较目录…</translation>
    </message>
    <message>
        <source>%1. Waiting for the next change…</source>
        <extracomment>A folder is kept synced; %1 is what was done last, such as &quot;Copied 2 files (3 KiB), 5 unchanged&quot;</extracomment>
        <translation>%1。正在等待下一次变化…</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::NewExperimentPresenter</name>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <extracomment>Cost preview: how many trials the experiment will have</extracomment>
        <translation>
            <numerusform>%n 个 Trial</numerusform>
        </translation>
    </message>
    <message>
        <source>trials until it is stopped</source>
        <extracomment>Cost preview: the number of trials is not bounded</extracomment>
        <translation>不限 Trial 数，直到停止</translation>
    </message>
    <message numerus="yes">
        <source>%n at a time</source>
        <extracomment>Cost preview: how many trials run side by side</extracomment>
        <translation>
            <numerusform>同时运行 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>up to %n iteration(s) each</source>
        <extracomment>Cost preview: largest training_iteration of a trial</extracomment>
        <translation>
            <numerusform>每个至多 %n 次训练迭代</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <extracomment>Separates the parts of the cost preview</extracomment>
        <translation>，</translation>
    </message>
    <message>
        <source>%1 is not connected.</source>
        <extracomment>Why a draft can be neither checked nor started; %1 is a connection such as &quot;This computer&quot;</extracomment>
        <translation>%1 未连接。</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::presenters::WindowPresenter</name>
    <message>
        <source>%1: connecting…</source>
        <extracomment>%1 is a connection such as &quot;This computer&quot;</extracomment>
        <translation>%1：正在连接…</translation>
    </message>
    <message>
        <source>%1: unknown since %2, reconnecting…</source>
        <extracomment>%1 is a connection, %2 a time of day</extracomment>
        <translation>%1：自 %2 起未知，正在重新连接…</translation>
    </message>
    <message>
        <source>%1: not reachable</source>
        <translation>%1：无法连接</translation>
    </message>
    <message>
        <source>Head %2 on %1, home %3</source>
        <extracomment>%1 is the host&apos;s name, %2 a version, %3 a folder</extracomment>
        <translation>头节点（head）%2，主机 %1，目录 %3</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) · %1/%2 CPU</source>
        <extracomment>%2 of %3 processors are in use on %n machines</extracomment>
        <translation>
            <numerusform>%n 个节点 · %1/%2 CPU</numerusform>
        </translation>
    </message>
    <message>
        <source>last event %1</source>
        <extracomment>%1 is such as &quot;2 s ago&quot;</extracomment>
        <translation>最近事件：%1</translation>
    </message>
    <message>
        <source>%1: shut down, unknown since %2</source>
        <extracomment>%1 is a connection, %2 a time of day</extracomment>
        <translation>%1：已关闭，自 %2 起状态未知</translation>
    </message>
    <message>
        <source>%1 of %2 CPUs (container limit)</source>
        <extracomment>What trials may use of a machine&apos;s processors, %1 of %2</extracomment>
        <translation>可用 %1 / %2 个 CPU（容器限制）</translation>
    </message>
    <message>
        <source>%1: disconnected</source>
        <extracomment>%1 is a connection</extracomment>
        <translation>%1：已断开连接</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::AboutDialog</name>
    <message>
        <source>About Trialdeck</source>
        <translation>关于 Trialdeck</translation>
    </message>
    <message>
        <source>Version %1 · Qt %2</source>
        <translation>版本 %1 · Qt %2</translation>
    </message>
    <message>
        <source>Searches hyper-parameters, runs the trials and shows how they learn.

The sources are under the Apache License 2.0. This program is linked with Qt Charts and is therefore distributed under the GNU General Public License, version 3.

Nothing is sent anywhere: the window speaks only with the heads that you connect.</source>
        <translation>搜索超参数，运行 Trial，并展示它们的学习过程。

源代码采用 Apache License 2.0。本程序链接了 Qt Charts，因此按 GNU 通用公共许可证第 3 版分发。

不会向任何地方发送数据：窗口只与您连接的头节点（head）通信。</translation>
    </message>
    <message>
        <source>Close</source>
        <extracomment>Button that closes a dialog without a question</extracomment>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ChartPanel</name>
    <message>
        <source>Show all charts</source>
        <extracomment>Tooltip of a button on a chart</extracomment>
        <translation>显示全部曲线图</translation>
    </message>
    <message>
        <source>Show this chart alone</source>
        <translation>只显示这张图</translation>
    </message>
    <message>
        <source>Chart options</source>
        <extracomment>Tooltip of a button on a chart</extracomment>
        <translation>曲线图选项</translation>
    </message>
    <message>
        <source>Drag to rearrange the charts</source>
        <translation>拖动以重新排列曲线图</translation>
    </message>
    <message>
        <source>smoothing %1</source>
        <extracomment>%1 is a number from 0 to 0.99</extracomment>
        <translation>平滑 %1</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <extracomment>Scale of a chart&apos;s axis</extracomment>
        <translation>对数</translation>
    </message>
    <message>
        <source>zoomed</source>
        <extracomment>The chart shows a part; double click shows everything</extracomment>
        <translation>已缩放</translation>
    </message>
    <message>
        <source>Linear</source>
        <extracomment>Scale of a chart&apos;s axis</extracomment>
        <translation>线性</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <extracomment>Scale of a chart&apos;s axis</extracomment>
        <translation>对数</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>None</source>
        <extracomment>No smoothing of the curves</extracomment>
        <translation>无</translation>
    </message>
    <message>
        <source>Ignore outliers</source>
        <translation>忽略离群值</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy values</source>
        <translation>复制数值</translation>
    </message>
    <message>
        <source>Hide this chart</source>
        <translation>隐藏此图表</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ChartsArea</name>
    <message>
        <source>No curves yet</source>
        <translation>还没有曲线</translation>
    </message>
    <message>
        <source>A curve appears for each metric with the first report of a trial.</source>
        <translation>Trial 第一次上报后，每个指标会出现一条曲线。</translation>
    </message>
    <message>
        <source>No chart is shown</source>
        <translation>没有显示任何图表</translation>
    </message>
    <message>
        <source>Choose under &quot;Charts&quot; which metrics to show.</source>
        <translation>请在“图表”中选择要显示的指标。</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ChartsBar</name>
    <message>
        <source>Charts</source>
        <extracomment>Button with a list of metrics: which of them have a chart</extracomment>
        <translation>图表</translation>
    </message>
    <message>
        <source>Which charts are shown</source>
        <translation>显示哪些图表</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::CommandPalette</name>
    <message>
        <source>Type a command or the name of an experiment</source>
        <translation>输入命令或实验名称</translation>
    </message>
    <message>
        <source>Command palette</source>
        <extracomment>Accessible name</extracomment>
        <translation>命令面板</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::CommandPanel</name>
    <message>
        <source>Command on the host</source>
        <extracomment>Title: a command is typed and run on the host</extracomment>
        <translation>在主机上运行命令</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Output of the command</source>
        <translation>命令的输出</translation>
    </message>
    <message>
        <source>Cancel</source>
        <extracomment>Buttons: give a running command up; run a command</extracomment>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ConfirmDialog</name>
    <message>
        <source>Cancel</source>
        <extracomment>Button that leaves everything as it is</extracomment>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ConnectDialog</name>
    <message>
        <source>Automatic</source>
        <extracomment>Which SSH client is used</extracomment>
        <translation>自动</translation>
    </message>
    <message>
        <source>ssh of this computer</source>
        <extracomment>Which SSH client is used: the program ssh of this computer</extracomment>
        <translation>本机的 ssh</translation>
    </message>
    <message>
        <source>Connect a host</source>
        <extracomment>Title of a dialog</extracomment>
        <translation>连接主机</translation>
    </message>
    <message>
        <source>Edit connection</source>
        <translation>编辑连接</translation>
    </message>
    <message>
        <source>Over SSH, as in a terminal. Nothing has to be installed there: Trialdeck puts its head into your home on the host.</source>
        <translation>通过 SSH 连接，与在终端中相同。主机上无需安装任何软件：Trialdeck 会把头节点程序（head）部署到你在主机上的主目录。</translation>
    </message>
    <message>
        <source>Host</source>
        <extracomment>Name of a field: which host to connect to</extracomment>
        <translation>主机</translation>
    </message>
    <message>
        <source>gpu-head or ada@10.0.0.7:2222</source>
        <extracomment>Example in a field; &quot;or&quot; joins two ways to name a host</extracomment>
        <translation>gpu-head 或 ada@10.0.0.7:2222</translation>
    </message>
    <message>
        <source>as in ~/.ssh/config</source>
        <extracomment>In an empty field: what is used then</extracomment>
        <translation>同 ~/.ssh/config</translation>
    </message>
    <message>
        <source>User</source>
        <extracomment>Name of a field: the user on a host</extracomment>
        <translation>用户</translation>
    </message>
    <message>
        <source>Port</source>
        <extracomment>Name of a field: the port of a host&apos;s SSH server</extracomment>
        <translation>端口</translation>
    </message>
    <message>
        <source>Choose…</source>
        <extracomment>Button that opens a file chooser</extracomment>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the key file</source>
        <translation>选择密钥文件</translation>
    </message>
    <message>
        <source>Key file</source>
        <extracomment>Name of a field: a private key&apos;s file</extracomment>
        <translation>密钥文件</translation>
    </message>
    <message>
        <source>Jump host</source>
        <extracomment>Name of a field: a host that the way goes through</extracomment>
        <translation>跳板机</translation>
    </message>
    <message>
        <source>Name here</source>
        <extracomment>Name of a field: what the user calls a connection</extracomment>
        <translation>显示名称</translation>
    </message>
    <message>
        <source>as the host</source>
        <extracomment>In an empty field: what is used then</extracomment>
        <translation>同主机名</translation>
    </message>
    <message>
        <source>SSH client</source>
        <extracomment>Name of a field: which SSH client is used</extracomment>
        <translation>SSH 客户端</translation>
    </message>
    <message>
        <source>Home there</source>
        <extracomment>Name of a field: the folder on the host in which the head keeps its own files</extracomment>
        <translation>主机上的目录</translation>
    </message>
    <message>
        <source>Cancel</source>
        <extracomment>Button that leaves everything as it is</extracomment>
        <translation>取消</translation>
    </message>
    <message>
        <source>Connect</source>
        <extracomment>Button: keeps the connection and connects</extracomment>
        <translation>连接</translation>
    </message>
    <message>
        <source>Save and connect</source>
        <translation>保存并连接</translation>
    </message>
    <message>
        <source>Advanced</source>
        <extracomment>Button that unfolds more fields</extracomment>
        <translation>高级</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ConnectionPage</name>
    <message>
        <source>Head</source>
        <extracomment>Title of what a head says of itself</extracomment>
        <translation>头节点（head）</translation>
    </message>
    <message>
        <source>Node</source>
        <extracomment>Headers of the list of nodes: the machine&apos;s name; CPUs in use of all; memory; number of GPUs</extracomment>
        <translation>节点</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::CurveChart</name>
    <message>
        <source>Chart of %1</source>
        <extracomment>Accessible name of a chart; %1 is a metric such as accuracy</extracomment>
        <translation>%1 的曲线图</translation>
    </message>
    <message>
        <source>No values yet</source>
        <translation>还没有数值</translation>
    </message>
    <message>
        <source>Only NaN values</source>
        <translation>只有 NaN 值</translation>
    </message>
    <message>
        <source>A logarithmic axis shows no values ≤ 0. Choose the linear axis to see them.</source>
        <translation>对数坐标轴不显示 ≤ 0 的数值。切换到线性坐标轴即可查看。</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) ≤ 0 not shown</source>
        <translation>
            <numerusform>%n 个 ≤ 0 的数值未显示</numerusform>
        </translation>
    </message>
    <message>
        <source>outliers ignored</source>
        <translation>已忽略离群值</translation>
    </message>
    <message>
        <source>trial %1 diverged</source>
        <extracomment>The trial&apos;s newest value is NaN or infinite; %1 is its number</extracomment>
        <translation>Trial %1 已发散</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) diverged</source>
        <translation>
            <numerusform>%n 个 Trial 已发散</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::DraftField</name>
    <message>
        <source>Suggestion: %1</source>
        <extracomment>Under a field: what could be written instead; %1 is in the language of experiment.yaml</extracomment>
        <translation>建议：%1</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ExperimentPage</name>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>The folder is not there</source>
        <translation>目录不存在</translation>
    </message>
    <message>
        <source>The head cannot show this experiment</source>
        <translation>头节点无法显示此实验</translation>
    </message>
    <message>
        <source>Overview</source>
        <extracomment>Tab of an experiment&apos;s page</extracomment>
        <translation>概览</translation>
    </message>
    <message>
        <source>Trials</source>
        <extracomment>Tab of an experiment&apos;s page</extracomment>
        <translation>Trial</translation>
    </message>
    <message>
        <source>Logs</source>
        <extracomment>Tab of an experiment&apos;s page</extracomment>
        <translation>日志</translation>
    </message>
    <message>
        <source>Files</source>
        <extracomment>Tab of an experiment&apos;s page</extracomment>
        <translation>文件</translation>
    </message>
    <message>
        <source>Set-up</source>
        <extracomment>Tab of an experiment&apos;s page: experiment.yaml and environment</extracomment>
        <translation>配置</translation>
    </message>
    <message>
        <source>Parts of the experiment</source>
        <translation>实验的各个部分</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>重新连接</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ExperimentTitle</name>
    <message>
        <source>Created %1</source>
        <translation>创建于 %1</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::FilesTab</name>
    <message>
        <source>Name</source>
        <extracomment>Column of the file list</extracomment>
        <translation>名称</translation>
    </message>
    <message>
        <source>Size</source>
        <extracomment>Column of the file list</extracomment>
        <translation>大小</translation>
    </message>
    <message>
        <source>Changed</source>
        <extracomment>Column of the file list</extracomment>
        <translation>修改时间</translation>
    </message>
    <message>
        <source>Copy path</source>
        <extracomment>Button that copies the folder&apos;s path</extracomment>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>List the files again</source>
        <translation>重新列出文件</translation>
    </message>
    <message>
        <source>Files of the experiment</source>
        <translation>实验的文件</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ForwardPanel</name>
    <message>
        <source>Port forwarding</source>
        <extracomment>Title of the list of ports that are brought here</extracomment>
        <translation>端口转发</translation>
    </message>
    <message>
        <source>Brings a page or any other port of the host to 127.0.0.1 here.</source>
        <translation>把主机上的网页或其他端口转发到本机的 127.0.0.1。</translation>
    </message>
    <message>
        <source>8080, db:5432 or 9000:8080</source>
        <extracomment>In an empty field: what can be typed</extracomment>
        <translation>8080、db:5432 或 9000:8080</translation>
    </message>
    <message>
        <source>Port of the host</source>
        <translation>主机端口</translation>
    </message>
    <message>
        <source>Forward</source>
        <extracomment>Button: begins to forward the port that was typed</extracomment>
        <translation>转发</translation>
    </message>
    <message>
        <source>Starts Jupyter on the host and opens it in the browser</source>
        <translation>在主机上启动 Jupyter，并在浏览器中打开</translation>
    </message>
    <message>
        <source>Ray dashboard</source>
        <extracomment>Button: opens Ray&apos;s own page</extracomment>
        <translation>Ray 仪表板</translation>
    </message>
    <message>
        <source>Opens port 8265 of the host in the browser</source>
        <translation>在浏览器中打开主机的 8265 端口</translation>
    </message>
    <message>
        <source>Write a port from 1 to 65535, or HOST:PORT, or the port here in front: 9000:8080.</source>
        <translation>请填写 1 到 65535 之间的端口、“主机:端口”，或在前面加上本机端口，例如 9000:8080。</translation>
    </message>
    <message>
        <source>Open</source>
        <extracomment>Opens an address in the browser</extracomment>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open %1 in the browser</source>
        <extracomment>%1 is what is forwarded, such as &quot;TensorBoard&quot;</extracomment>
        <translation>在浏览器中打开 %1</translation>
    </message>
    <message>
        <source>Stop forwarding %1</source>
        <extracomment>%1 is what is forwarded, such as &quot;TensorBoard&quot;</extracomment>
        <translation>停止转发 %1</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::LegendStrip</name>
    <message>
        <source>Legend</source>
        <extracomment>Accessible name: which line of the charts is which trial</extracomment>
        <translation>图例</translation>
    </message>
    <message>
        <source>Click: select the trial. Ctrl and click: one more.</source>
        <translation>单击：选中该 Trial；按住 Ctrl 单击：再选一个。</translation>
    </message>
    <message>
        <source>Trial</source>
        <extracomment>Before the numbers of the trials in a legend</extracomment>
        <translation>Trial</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <extracomment>Name of a trial in a chart; %1 is its number</extracomment>
        <translation>Trial %1</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::LogTab</name>
    <message>
        <source>Trial %1</source>
        <extracomment>Title above a log; %1 is the trial&apos;s number</extracomment>
        <translation>Trial %1</translation>
    </message>
    <message>
        <source>No trial</source>
        <translation>没有 Trial</translation>
    </message>
    <message>
        <source>Attempt %1</source>
        <extracomment>One start of a trial&apos;s workers; %1 counts from 1</extracomment>
        <translation>第 %1 次尝试</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <extracomment>One worker process of a trial; %1 counts from 0</extracomment>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>No log yet</source>
        <translation>还没有日志</translation>
    </message>
    <message>
        <source>What a trial prints appears here as soon as it has started. Select a trial in the table.</source>
        <translation>Trial 启动后，它打印的内容会显示在这里。请在表格中选择一个 Trial。</translation>
    </message>
    <message>
        <source>Nothing was printed</source>
        <translation>没有任何输出</translation>
    </message>
    <message>
        <source>The worker ended without a line on this stream.</source>
        <translation>Worker 已结束，此输出流中没有任何内容。</translation>
    </message>
    <message>
        <source>Nothing printed yet</source>
        <translation>还没有输出</translation>
    </message>
    <message>
        <source>Lines appear here as the worker prints them.</source>
        <translation>Worker 打印的每一行会立即显示在这里。</translation>
    </message>
    <message numerus="yes">
        <source>%n hit(s), searching…</source>
        <translation>
            <numerusform>%n 处匹配，正在搜索…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation>
            <numerusform>%n 处匹配</numerusform>
        </translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>搜索日志</translation>
    </message>
    <message>
        <source>Which attempt</source>
        <translation>选择第几次尝试</translation>
    </message>
    <message>
        <source>Which rank</source>
        <translation>选择 Rank</translation>
    </message>
    <message>
        <source>Which stream</source>
        <translation>选择输出流</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Stay at the end as new lines come</source>
        <translation>有新行时停留在末尾</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一处匹配</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Some of this log is no UTF-8. It looks like GB18030.</source>
        <translation>此日志中有不是 UTF-8 的内容，看起来像是 GB18030。</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::LogView</name>
    <message>
        <source>Log</source>
        <extracomment>Accessible name</extracomment>
        <translation>日志</translation>
    </message>
    <message>
        <source>Copy lines</source>
        <translation>复制所选行</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::MainWindow</name>
    <message>
        <source>Nothing was started. Line %1, column %2: %3</source>
        <extracomment>A mistake in an experiment.yaml; %1 and %2 are numbers, %3 a sentence</extracomment>
        <translation>没有启动任何东西。第 %1 行第 %2 列：%3</translation>
    </message>
    <message>
        <source>There is no experiment &quot;%1&quot;.</source>
        <translation>没有名为“%1”的实验。</translation>
    </message>
    <message>
        <source>%1 – Trialdeck</source>
        <extracomment>Title of the window; %1 is the experiment&apos;s name</extracomment>
        <translation>%1 – Trialdeck</translation>
    </message>
    <message>
        <source>The head on this computer does not answer</source>
        <translation>本机的头节点没有应答</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Connecting to the head on this computer.</source>
        <translation>正在连接本机的头节点。</translation>
    </message>
    <message>
        <source>No experiment is shown</source>
        <translation>没有显示任何实验</translation>
    </message>
    <message>
        <source>Choose one at the left, or start a new one.</source>
        <translation>请在左侧选择一个实验，或新建一个。</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Open an experiment.yaml</source>
        <translation>打开 experiment.yaml</translation>
    </message>
    <message>
        <source>Experiments (*.yaml *.yml);;All files (*)</source>
        <translation>实验 (*.yaml *.yml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>New experiment – Trialdeck</source>
        <translation>新建实验 – Trialdeck</translation>
    </message>
    <message>
        <source>New</source>
        <extracomment>Toolbar button with a menu of what can be made</extracomment>
        <translation>新建</translation>
    </message>
    <message>
        <source>Search or command  %1</source>
        <translation>搜索或输入命令  %1</translation>
    </message>
    <message>
        <source>Search or command</source>
        <translation>搜索或输入命令</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>No experiments yet</source>
        <translation>还没有实验</translation>
    </message>
    <message>
        <source>Start one from a template or your own script. You can also drag a script or a YAML file onto the window.</source>
        <translation>可以从模板或您自己的脚本开始，也可以把脚本或 YAML 文件拖到窗口里。</translation>
    </message>
    <message>
        <source>Start the head</source>
        <translation>启动头节点</translation>
    </message>
    <message>
        <source>The head on this computer was shut down. What is shown is as of then; trials that were not stopped with it go on.</source>
        <translation>本机的头节点（head）已被关闭，当前显示的是关闭时的状态；没有随之停止的 Trial 仍在运行。</translation>
    </message>
    <message>
        <source>The head on this computer was shut down</source>
        <translation>本机的头节点（head）已被关闭</translation>
    </message>
    <message>
        <source>Trials that were not stopped with it go on. Start it to see them and to begin new ones.</source>
        <translation>没有随之停止的 Trial 仍在运行。启动头节点即可查看它们并开始新的实验。</translation>
    </message>
    <message>
        <source>Answer…</source>
        <extracomment>Button that leads to the question of a connection</extracomment>
        <translation>回答…</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::NewExperimentPage</name>
    <message>
        <source>Line %1, column %2: </source>
        <translation>第 %1 行第 %2 列：</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) to mend</source>
        <translation>
            <numerusform>%n 处需要修改</numerusform>
        </translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>1  What to run</source>
        <translation>1  运行内容</translation>
    </message>
    <message>
        <source>2  Search space</source>
        <translation>2  搜索空间</translation>
    </message>
    <message>
        <source>3  Search and stopping</source>
        <translation>3  搜索与停止</translation>
    </message>
    <message>
        <source>experiment.yaml  live</source>
        <extracomment>Title above the YAML that follows the form</extracomment>
        <translation>experiment.yaml  实时</translation>
    </message>
    <message>
        <source>Open YAML…</source>
        <translation>打开 YAML…</translation>
    </message>
    <message>
        <source>Template…</source>
        <translation>模板…</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Try one configuration</source>
        <translation>试跑一组参数</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动实验</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Also the name of the folder with the results.</source>
        <translation>同时也是结果目录的名称。</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Program and arguments. {lr} stands for the parameter lr.</source>
        <translation>程序及其参数。{lr} 代表参数 lr。</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Relative paths are read against the folder of the YAML file.</source>
        <translation>相对路径以 YAML 文件所在目录为准。</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Interpreter whose folder comes first in PATH.</source>
        <translation>其所在目录排在 PATH 最前的解释器。</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>One NAME=value a line, on top of your login environment.</source>
        <translation>每行一个 NAME=value，叠加在登录环境之上。</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker 数</translation>
    </message>
    <message>
        <source>Processes of one trial.</source>
        <translation>一个 Trial 的进程数。</translation>
    </message>
    <message>
        <source>CPUs a worker</source>
        <translation>每个 Worker 的 CPU</translation>
    </message>
    <message>
        <source>GPUs a worker</source>
        <translation>每个 Worker 的 GPU</translation>
    </message>
    <message>
        <source>Memory a worker</source>
        <translation>每个 Worker 的内存</translation>
    </message>
    <message>
        <source>For example 1GiB or 512MiB.</source>
        <translation>例如 1GiB 或 512MiB。</translation>
    </message>
    <message>
        <source>Search algorithm</source>
        <translation>搜索算法</translation>
    </message>
    <message>
        <source>How configurations are proposed.</source>
        <translation>如何提出超参数配置。</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样数</translation>
    </message>
    <message>
        <source>Number of trials; a grid is run this many times. -1: until it is stopped.</source>
        <translation>Trial 的数量；网格会重复运行这么多次。-1：直到停止。</translation>
    </message>
    <message>
        <source>Max concurrent</source>
        <translation>最大并发数</translation>
    </message>
    <message>
        <source>Trials that run side by side; empty: as many as fit.</source>
        <translation>同时运行的 Trial 数；留空：资源允许多少就运行多少。</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>What the best trial is chosen by.</source>
        <translation>用于选出最优 Trial。</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>max: the larger the better. min: the smaller the better.</source>
        <translation>max：越大越好。min：越小越好。</translation>
    </message>
    <message>
        <source>Random seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed proposes the same configurations.</source>
        <translation>相同的种子提出相同的配置。</translation>
    </message>
    <message>
        <source>Trial scheduler</source>
        <translation>Trial 调度器</translation>
    </message>
    <message>
        <source>asha stops trials that fall behind.</source>
        <translation>asha 会停止落后的 Trial。</translation>
    </message>
    <message>
        <source>Longest trial</source>
        <translation>最长训练</translation>
    </message>
    <message>
        <source>In training iterations; for asha.</source>
        <translation>以训练迭代计；用于 asha。</translation>
    </message>
    <message>
        <source>Stop a trial when</source>
        <translation>停止条件</translation>
    </message>
    <message>
        <source>Any one of them is enough.</source>
        <translation>满足任意一条即停止。</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>检查点间隔</translation>
    </message>
    <message>
        <source>In training iterations; told to the program.</source>
        <translation>以训练迭代计；会告知程序。</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Results go into a folder of the experiment&apos;s name there.</source>
        <translation>结果保存在该位置下以实验名称命名的目录中。</translation>
    </message>
    <message>
        <source>Open an experiment</source>
        <translation>打开实验</translation>
    </message>
    <message>
        <source>YAML files (*.yaml *.yml);;All files (*)</source>
        <translation>YAML 文件 (*.yaml *.yml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The file is larger than 1 MiB.</source>
        <translation>文件超过 1 MiB。</translation>
    </message>
    <message>
        <source>%1 could not be read. %2</source>
        <translation>无法读取 %1。%2</translation>
    </message>
    <message>
        <source>You can also drag a script or a YAML file onto the window.</source>
        <translation>也可以把脚本或 YAML 文件拖到窗口里。</translation>
    </message>
    <message>
        <source>Paths are those of %1; relative ones start in the home folder there. The program must be there already.</source>
        <extracomment>In the form of a new experiment; %1 is a host</extracomment>
        <translation>路径是 %1 上的路径，相对路径从那里的主目录算起；程序须已在那里。</translation>
    </message>
    <message>
        <source>4  Where and storage</source>
        <translation>4  运行位置与存储</translation>
    </message>
    <message>
        <source>Where</source>
        <extracomment>Field: the computer that runs the experiment</extracomment>
        <translation>运行位置</translation>
    </message>
    <message>
        <source>This computer, or a host that is connected.</source>
        <translation>本机，或已连接的主机。</translation>
    </message>
    <message>
        <source>Checkpoints kept</source>
        <translation>保留的检查点</translation>
    </message>
    <message>
        <source>Of each trial; empty: all. The newest is always kept.</source>
        <translation>每个 Trial 保留的数量；留空表示全部。最新的始终保留。</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>重试次数</translation>
    </message>
    <message>
        <source>How often a failed trial goes on from its newest checkpoint; -1: without limit. 0 unless you say so: a program that fails by itself mostly fails again. What is lost with its machine goes on in any case.</source>
        <translation>失败的 Trial 从最新检查点继续的次数；-1 表示不限。默认为 0：因自身原因失败的程序多半会再次失败。随机器一起丢失的 Trial 总会继续。</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::NoticesBar</name>
    <message>
        <source>Trial %1: %2</source>
        <extracomment>%1 is a trial&apos;s number, %2 a sentence about it</extracomment>
        <translation>Trial %1：%2</translation>
    </message>
    <message>
        <source>Show log</source>
        <extracomment>Button that opens the trial&apos;s log</extracomment>
        <translation>查看日志</translation>
    </message>
    <message>
        <source>Details</source>
        <extracomment>Button that shows everything about an error</extracomment>
        <translation>详情</translation>
    </message>
    <message>
        <source>Copy</source>
        <extracomment>Button that copies everything about an error</extracomment>
        <translation>复制</translation>
    </message>
    <message>
        <source>Previous message</source>
        <translation>上一条消息</translation>
    </message>
    <message>
        <source>Next message</source>
        <translation>下一条消息</translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <extracomment>Which of how many messages is shown, such as &quot;1 of 3&quot;</extracomment>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ParameterTable</name>
    <message>
        <source>＋ Add parameter</source>
        <extracomment>Button below the search space</extracomment>
        <translation>＋ 添加参数</translation>
    </message>
    <message>
        <source>Parameter</source>
        <extracomment>Column of the search space: a hyper-parameter&apos;s name</extracomment>
        <translation>参数</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Remove this parameter</source>
        <translation>移除此参数</translation>
    </message>
    <message>
        <source>uniform</source>
        <extracomment>Distribution of a parameter</extracomment>
        <translation>均匀分布</translation>
    </message>
    <message>
        <source>log-uniform</source>
        <extracomment>Distribution of a parameter: its logarithm is uniform</extracomment>
        <translation>对数均匀分布</translation>
    </message>
    <message>
        <source>choice</source>
        <extracomment>Distribution of a parameter: one of some values</extracomment>
        <translation>候选值</translation>
    </message>
    <message>
        <source>grid</source>
        <extracomment>Distribution of a parameter: every value in turn</extracomment>
        <translation>网格</translation>
    </message>
    <message>
        <source>whole number (both ends)</source>
        <translation>整数（含两端）</translation>
    </message>
    <message>
        <source>whole number (without the upper end)</source>
        <translation>整数（不含上界）</translation>
    </message>
    <message>
        <source>log-uniform whole number</source>
        <translation>对数均匀分布的整数</translation>
    </message>
    <message>
        <source>uniform in steps</source>
        <translation>按步长的均匀分布</translation>
    </message>
    <message>
        <source>log-uniform in steps</source>
        <translation>按步长的对数均匀分布</translation>
    </message>
    <message>
        <source>whole number in steps</source>
        <translation>按步长的整数</translation>
    </message>
    <message>
        <source>log-uniform whole number in steps</source>
        <translation>按步长的对数均匀整数</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>正态分布</translation>
    </message>
    <message>
        <source>normal in steps</source>
        <translation>按步长的正态分布</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>from</source>
        <extracomment>Argument of a distribution: smallest value</extracomment>
        <translation>从</translation>
    </message>
    <message>
        <source>to</source>
        <extracomment>Argument of a distribution: largest value</extracomment>
        <translation>到</translation>
    </message>
    <message>
        <source>step</source>
        <extracomment>Argument of a distribution: values are multiples of it</extracomment>
        <translation>步长</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>values, parted by commas</source>
        <translation>各个值，用逗号分隔</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::Photographer</name>
    <message>
        <source>The picture %1 cannot be written.</source>
        <extracomment>%1 is a file</extracomment>
        <translation>无法写入图片 %1。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建目录 %1。</translation>
    </message>
    <message>
        <source>There is no experiment to photograph. Start one first.</source>
        <translation>没有可以拍摄的实验。请先启动一个实验。</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::PromptPanel</name>
    <message>
        <source>Cancel</source>
        <extracomment>Button that gives a connection up</extracomment>
        <translation>取消</translation>
    </message>
    <message>
        <source>Remember in the keychain</source>
        <extracomment>Check box: keep a password or passphrase in the desktop&apos;s keychain</extracomment>
        <translation>记住到系统密钥环</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::RareStates</name>
    <message>
        <source>The pictures of rare states are incomplete: the head did not bring them about in time.</source>
        <translation>少见状态的图片不完整：头节点未能及时进入这些状态。</translation>
    </message>
    <message>
        <source>The picture %1 cannot be written.</source>
        <translation>无法写入图片 %1。</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::SetupTab</name>
    <message>
        <source>Folder</source>
        <extracomment>Row of an experiment&apos;s environment: where it lies</extracomment>
        <translation>目录</translation>
    </message>
    <message>
        <source>Relative paths from</source>
        <extracomment>Row of an experiment&apos;s environment: relative paths are read from here</extracomment>
        <translation>相对路径起点</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Environment</source>
        <extracomment>Title above the host, versions and variables that an experiment was started with</extracomment>
        <translation>运行环境</translation>
    </message>
    <message>
        <source>Copy</source>
        <extracomment>Button that copies the experiment.yaml</extracomment>
        <translation>复制</translation>
    </message>
    <message>
        <source>Recorded</source>
        <extracomment>Row of an experiment&apos;s environment: when it was started</extracomment>
        <translation>记录时间</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Git commit</source>
        <extracomment>Row of an experiment&apos;s environment: the commit of the working directory</extracomment>
        <translation>Git 提交</translation>
    </message>
    <message>
        <source>Host</source>
        <extracomment>Row of an experiment&apos;s environment: the head&apos;s machine</extracomment>
        <translation>主机</translation>
    </message>
    <message>
        <source>System</source>
        <extracomment>Row of an experiment&apos;s environment: kernel and processor</extracomment>
        <translation>系统</translation>
    </message>
    <message>
        <source>Variables</source>
        <extracomment>Row of an experiment&apos;s environment: environment variables</extracomment>
        <translation>环境变量</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>任何位置</translation>
    </message>
    <message>
        <source>In a chart</source>
        <translation>在图表中</translation>
    </message>
    <message>
        <source>From point to point, from curve to curve</source>
        <translation>在数据点之间、曲线之间移动</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Select the trial of the curve</source>
        <translation>选中曲线所属的 Trial</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>+ and −, wheel</source>
        <translation>+ 与 −、滚轮</translation>
    </message>
    <message>
        <source>Move the shown part</source>
        <translation>移动显示范围</translation>
    </message>
    <message>
        <source>Shift and arrow keys, drag</source>
        <translation>Shift 加方向键、拖动</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>0, double click</source>
        <translation>0、双击</translation>
    </message>
    <message>
        <source>In the trial table</source>
        <translation>在 Trial 表格中</translation>
    </message>
    <message>
        <source>Show the trial&apos;s log</source>
        <translation>显示 Trial 的日志</translation>
    </message>
    <message>
        <source>Stop the trial (asks first)</source>
        <translation>停止 Trial（会先询问）</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Del</translation>
    </message>
    <message>
        <source>Copy the selected rows</source>
        <translation>复制选中的行</translation>
    </message>
    <message>
        <source>Let go of the selection</source>
        <translation>取消选择</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::Sidebar</name>
    <message>
        <source>Connections and experiments</source>
        <extracomment>Accessible name of the list at the left</extracomment>
        <translation>连接与实验</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::StepList</name>
    <message>
        <source>Way to the head</source>
        <extracomment>Title of the list of steps of connecting</extracomment>
        <translation>到头节点的连接步骤</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::StopTable</name>
    <message>
        <source>＋ Add stop rule</source>
        <extracomment>Button below the stop rules</extracomment>
        <translation>＋ 添加停止条件</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Comparison</source>
        <extracomment>At least or at most</extracomment>
        <translation>比较</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Remove this stop rule</source>
        <translation>移除此停止条件</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::SyncDialog</name>
    <message>
        <source>Sync up: from this computer to the host</source>
        <extracomment>Titles of a dialog: a folder is copied from this computer to the host, or back</extracomment>
        <translation>同步到主机：从本机复制到主机</translation>
    </message>
    <message>
        <source>Sync down: from the host to this computer</source>
        <translation>同步到本地：从主机复制到本机</translation>
    </message>
    <message>
        <source>Only what has changed is copied. What is newer on the other side is overwritten; nothing is removed there unless you say so.</source>
        <translation>只复制有变化的内容。另一端较新的文件会被覆盖；除非你勾选，否则不会删除任何文件。</translation>
    </message>
    <message>
        <source>Folder here</source>
        <extracomment>Name of a field: a folder on this computer</extracomment>
        <translation>本机目录</translation>
    </message>
    <message>
        <source>Choose…</source>
        <extracomment>Button that opens a file chooser</extracomment>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the folder here</source>
        <translation>选择本机目录</translation>
    </message>
    <message>
        <source>Folder there</source>
        <extracomment>Name of a field: a folder on the host</extracomment>
        <translation>主机目录</translation>
    </message>
    <message>
        <source>Leave out</source>
        <extracomment>Name of a field: patterns of files that are not copied</extracomment>
        <translation>排除</translation>
    </message>
    <message>
        <source>Patterns as rsync has them, separated by spaces</source>
        <translation>rsync 格式的模式，用空格分隔</translation>
    </message>
    <message>
        <source>Remove on the host what is not here</source>
        <extracomment>Switches of a sync: files that only the target has are deleted there</extracomment>
        <translation>删除主机上有而本机没有的文件</translation>
    </message>
    <message>
        <source>Remove here what is not on the host</source>
        <translation>删除本机有而主机上没有的文件</translation>
    </message>
    <message>
        <source>Show what would be done</source>
        <extracomment>Button: tells what a sync would do, and does nothing</extracomment>
        <translation>仅显示将执行的操作</translation>
    </message>
    <message>
        <source>Cancel</source>
        <extracomment>Button that leaves everything as it is</extracomment>
        <translation>取消</translation>
    </message>
    <message>
        <source>Sync up</source>
        <extracomment>Buttons: copy a folder to the host, or back</extracomment>
        <translation>同步到主机</translation>
    </message>
    <message>
        <source>Sync down</source>
        <translation>同步到本地</translation>
    </message>
    <message>
        <source>Keep synced while this window is open</source>
        <extracomment>Switch of a sync: each later change is copied as well</extracomment>
        <translation>窗口打开期间保持同步</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::SyncPanel</name>
    <message>
        <source>Folders</source>
        <extracomment>Title: folders that are copied to the host and back</extracomment>
        <translation>目录同步</translation>
    </message>
    <message>
        <source>Copies what has changed in a folder to the host, or back.</source>
        <translation>把目录中有变化的内容复制到主机，或复制回来。</translation>
    </message>
    <message>
        <source>Details</source>
        <extracomment>Button that unfolds a list</extracomment>
        <translation>详情</translation>
    </message>
    <message>
        <source>Sync up…</source>
        <extracomment>Buttons: open a dialog about copying a folder to the host, or back</extracomment>
        <translation>同步到主机…</translation>
    </message>
    <message>
        <source>Sync down…</source>
        <translation>同步到本地…</translation>
    </message>
    <message>
        <source>Again</source>
        <extracomment>Button: syncs the same folders once more</extracomment>
        <translation>再次同步</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop</source>
        <extracomment>Buttons: end the watching of a folder; give a sync up</extracomment>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::TrialDetails</name>
    <message>
        <source>No trial selected</source>
        <translation>没有选中 Trial</translation>
    </message>
    <message>
        <source>Select a trial in the table or click its curve to see everything about it.</source>
        <translation>在表格中选择一个 Trial，或点击它的曲线，即可查看其全部信息。</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <extracomment>Title; %1 is the trial&apos;s number</extracomment>
        <translation>Trial %1</translation>
    </message>
    <message>
        <source>State</source>
        <extracomment>Section of a trial&apos;s details</extracomment>
        <translation>状态</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>出错</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Running time</source>
        <translation>运行时间</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>上报</translation>
    </message>
    <message>
        <source>Discarded reports</source>
        <extracomment>Reports that are repeated or belong to an attempt that a newer one has replaced</extracomment>
        <translation>被丢弃的上报</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Parameters</source>
        <extracomment>Section of a trial&apos;s details</extracomment>
        <translation>参数</translation>
    </message>
    <message>
        <source>Newest report</source>
        <extracomment>Section of a trial&apos;s details</extracomment>
        <translation>最新上报</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>信号 %1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>Rank %1：%2</translation>
    </message>
    <message>
        <source>, at most %1 of memory</source>
        <extracomment>%1 is an amount of memory such as 1.2 GiB</extracomment>
        <translation>，内存至多 %1</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Attempts</source>
        <extracomment>Section of a trial&apos;s details</extracomment>
        <translation>各次尝试</translation>
    </message>
    <message>
        <source>on %1 at %2</source>
        <extracomment>%1 is a machine&apos;s name, %2 a time of day</extracomment>
        <translation>在 %1，%2</translation>
    </message>
    <message>
        <source>, from %1</source>
        <extracomment>%1 is a checkpoint&apos;s name</extracomment>
        <translation>，从 %1 续跑</translation>
    </message>
    <message>
        <source>Attempt %1</source>
        <translation>第 %1 次尝试</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <extracomment>Section of a trial&apos;s details</extracomment>
        <translation>检查点</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>iteration %1 · %2</source>
        <extracomment>%1 is a number, %2 an amount such as 5.1 MiB</extracomment>
        <translation>训练迭代 %1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Last lines</source>
        <extracomment>What a program printed before its end</extracomment>
        <translation>最后几行</translation>
    </message>
    <message>
        <source>not usable</source>
        <extracomment>About a checkpoint from which no attempt goes on any more</extracomment>
        <translation>不可用</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::TrialTablePanel</name>
    <message>
        <source>There is no column &quot;%1&quot;. Did you mean &quot;%2&quot;?</source>
        <extracomment>Error of the filter field</extracomment>
        <translation>没有列“%1”。是否想输入“%2”？</translation>
    </message>
    <message>
        <source>There is no column &quot;%1&quot;.</source>
        <translation>没有列“%1”。</translation>
    </message>
    <message>
        <source>A value is missing, as in lr &lt; 0.1</source>
        <translation>缺少数值，正确写法如 lr &lt; 0.1</translation>
    </message>
    <message>
        <source>A comparison is missing: &lt; &lt;= &gt; &gt;= = != ~</source>
        <translation>缺少比较符：&lt; &lt;= &gt; &gt;= = != ~</translation>
    </message>
    <message>
        <source>A column is missing, as in lr &lt; 0.1</source>
        <translation>缺少列名，正确写法如 lr &lt; 0.1</translation>
    </message>
    <message>
        <source>A quote is not closed.</source>
        <translation>引号没有闭合。</translation>
    </message>
    <message>
        <source>A parenthesis is not closed.</source>
        <translation>括号没有闭合。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not belong here; join conditions with and, or.</source>
        <translation>“%1”不应出现在这里；请用 and、or 连接条件。</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <extracomment>Label of the filter field of the trial table</extracomment>
        <translation>筛选(&amp;F)</translation>
    </message>
    <message>
        <source>Words that each must occur in a row, or a condition on columns.</source>
        <translation>每个词都必须出现在行中，或对列的条件。</translation>
    </message>
    <message>
        <source>Filter of the trial table</source>
        <translation>Trial 表格的筛选</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>另存为 CSV…</translation>
    </message>
    <message>
        <source>Copy rows for a spreadsheet</source>
        <translation>复制行（用于电子表格）</translation>
    </message>
    <message>
        <source>Copy as trialdeckctl command</source>
        <translation>复制为 trialdeckctl 命令</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <extracomment>How many rows the filter shows, such as &quot;3 of 8&quot;</extracomment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Save the trial table</source>
        <translation>保存 Trial 表格</translation>
    </message>
    <message>
        <source>CSV files (*.csv)</source>
        <translation>CSV 文件 (*.csv)</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::TrialTableView</name>
    <message>
        <source>Trials</source>
        <extracomment>Accessible name of the table</extracomment>
        <translation>Trial</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>查看日志</translation>
    </message>
    <message>
        <source>Pause trial</source>
        <translation>暂停 Trial</translation>
    </message>
    <message>
        <source>Resume trial</source>
        <translation>继续 Trial</translation>
    </message>
    <message>
        <source>Stop trial…</source>
        <translation>停止 Trial…</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Copy as trialdeckctl command</source>
        <translation>复制为 trialdeckctl 命令</translation>
    </message>
</context>
<context>
    <name>trialdeck::app::views::WindowNotice</name>
    <message>
        <source>Copy details</source>
        <extracomment>Button that copies everything about an error</extracomment>
        <translation>复制详情</translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation>关闭消息</translation>
    </message>
</context>
</TS>
